'use strict';
// A tap next to an open sheet closes it and does nothing else.
let closes;
document.addEventListener('pointerdown', ({ target }) => {
  const sheet = target.hidePopover && document.querySelector('.sheet:popover-open');
  closes = sheet && !sheet.contains(target);
}, true);
document.addEventListener('click', (event) => {
  if (!closes || !event.detail) return;
  closes = false;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
