'use strict';
// The sheet of contents makes way for the chapter that was chosen in it.
document.addEventListener('click', ({ target }) => {
  target.closest('a[href^="#"]')?.closest(':popover-open')?.hidePopover();
});

// The contents show the chapter that is read: the last one that begins in the upper third.
const here = () => {
  const read = [...document.querySelectorAll('.chapter[id]')]
    .findLast(each => each.getBoundingClientRect().top < innerHeight / 3);
  for (const link of document.querySelectorAll('#contents a')) {
    if (read && link.hash === `#${read.id}`) link.ariaCurrent = 'true';
    else link.removeAttribute('aria-current');
  }
};
let soon;
addEventListener('scroll', () => {
  cancelAnimationFrame(soon);
  soon = requestAnimationFrame(here);
}, { passive: true });
document.addEventListener('htmx:after:swap', here);
here();

// A rule that is changed stays under the thumb while what is different is listed above it.
const opened = () => document.querySelector('#open > .rule');
const name = () => opened()?.id.replace('house-', '');
let before;
document.addEventListener('htmx:before:swap', () => {
  before = opened() && [name(), opened().getBoundingClientRect().top];
});
document.addEventListener('htmx:after:swap', () => {
  if (!before || name() !== before[0]) return;
  scrollBy(0, opened().getBoundingClientRect().top - before[1]);
  // Where it lost rows, what is left of it would be above.
  const { bottom } = opened().parentElement.getBoundingClientRect();
  if (bottom < innerHeight / 2) scrollBy(0, bottom - innerHeight / 2);
});
