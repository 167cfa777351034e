'use strict';
// The sheet of contents makes way for the chapter that was chosen in it.
document.addEventListener('click', ({ target }) => {
  target.closest('a[href^="#"]')?.closest(':popover-open')?.hidePopover();
});

// A rule that is changed stays under the thumb while what is different is listed above it.
const opened = () => document.querySelector('#open > .rule');
const name = () => opened()?.id.replace('house-', '');
let before;
document.addEventListener('htmx:before:swap', () => {
  before = opened() && [name(), opened().getBoundingClientRect().top];
});
document.addEventListener('htmx:after:swap', () => {
  if (before && name() === before[0]) scrollBy(0, opened().getBoundingClientRect().top - before[1]);
});
