'use strict';
// A name stands on one line: the longest form that fits, at its own size and then at the smallest. The
// server writes the forms, no two alike at a table. A screen reader is told the whole name.

function shorten(name) {
  const whole = name.dataset.whole ??= name.textContent;
  for (const form of [whole, ...name.dataset.fit?.split('|') ?? []]) {
    for (const small of [false, true]) {
      name.textContent = form;
      name.toggleAttribute('data-small', small);
      if (name.scrollWidth <= name.clientWidth) return;
    }
  }
}

function fit() {
  for (const name of document.querySelectorAll('.nm')) {
    shorten(name);
    const { whole } = name.dataset;
    if (name.textContent === whole) continue;
    const shown = Object.assign(document.createElement('span'), { textContent: name.textContent, ariaHidden: true });
    name.replaceChildren(shown, Object.assign(document.createElement('span'), { textContent: whole, className: 'vh' }));
  }
}

addEventListener('resize', fit);
document.addEventListener('htmx:after:swap', fit);
fit();
