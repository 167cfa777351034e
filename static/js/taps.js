'use strict';
// If a part of the page is about to be replaced by an answer, taps on that part wait, and are made on the
// new part. A second tap on the same button is dropped. Forms with a key don't make taps wait: they go into
// the outbox at once.

let renews;
let later = new Set();

// Before the outbox hears of it.
document.addEventListener('htmx:config:request', (event) => {
  const { ctx, ctx: { request, sourceElement, target } } = event.detail;
  if (!sourceElement.matches('a, button, form') || !target.contains(sourceElement)) return;
  ctx.tap = (request.submitter ?? sourceElement).id;
  if (renews) {
    if (ctx.tap !== renews.tap) later.add(ctx.tap);
    event.preventDefault();
    event.stopImmediatePropagation();
  } else if (request.method === 'GET' || !request.body.has('key')) renews = ctx;
}, true);

document.addEventListener('htmx:finally:request', ({ detail: { ctx } }) => {
  if (ctx !== renews) return;
  const taps = ctx.response?.status < 400 ? later : [];
  later = new Set();
  renews = null;
  for (const id of taps) document.getElementById(id)?.click();
});

// A refusal is also shown if an earlier answer has replaced the element that it was meant for.
document.addEventListener('htmx:before:response', ({ detail: { ctx } }) => {
  if (!ctx.target.isConnected) ctx.target = document.getElementById(ctx.target.id) ?? ctx.target;
});

// What unfolds is scrolled into view: at the end of a page it would be below the screen.
document.addEventListener('click', ({ target }) => {
  const details = target.closest('summary')?.parentElement;
  if (details && !details.open) requestAnimationFrame(() => details.scrollIntoView({ block: 'nearest' }));
});
