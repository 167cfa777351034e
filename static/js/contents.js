'use strict';
// The sheet of contents makes way for the chapter that was chosen in it.
document.addEventListener('click', ({ target }) => {
  target.closest('a[href^="#"]')?.closest(':popover-open')?.hidePopover();
});
