'use strict';
// The pad keeps up with the other phones, rests while nobody looks, and says when it cannot.

const offline = document.querySelector('.offline');
const isBoard = (event) => event.target.id === 'board';
const version = (tag) => (tag ?? '').split('.').map(Number);

// A long pad begins at the round that is played.
const pad = document.getElementById('sheet');
const current = pad?.querySelector('[data-now]');
if (current) pad.scrollTop = current.offsetTop - pad.clientHeight / 2;

function refresh() {
  if (!document.hidden) document.getElementById('board').dispatchEvent(new Event('refresh'));
}
document.addEventListener('visibilitychange', refresh);
addEventListener('pageshow', ({ persisted }) => persisted && refresh());
addEventListener('online', refresh);

document.addEventListener('htmx:config:request', (event) => {
  if (isBoard(event) && document.hidden) event.preventDefault();
});

// An answer that was overtaken on the way by a newer one is not shown.
document.addEventListener('htmx:before:response', (event) => {
  if (!isBoard(event)) return;
  offline.hidden = event.detail.ctx.response.status < 500;
  const [seq, revision] = version(event.detail.ctx.response.headers.get('HX-PTag'));
  const [shown, shownRevision] = version(event.target.getAttribute('hx-ptag'));
  if (seq < shown || (seq === shown && revision < shownRevision)) event.preventDefault();
});

document.addEventListener('htmx:error', (event) => {
  if (isBoard(event)) offline.hidden = false;
});
