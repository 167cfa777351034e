'use strict';
// The pad keeps up with the other phones, rests while nobody looks, and says when it cannot.

const offline = document.querySelector('.offline');
const isBoard = (event) => event.target.id === 'board';
const version = (tag) => (tag ?? '').split('.').map(Number);

// A long pad begins at the round that is played.
document.querySelector('tr[data-now]')?.scrollIntoView({ block: 'nearest' });

// The screen stays on while somebody looks at the pad; where a browser cannot do that, as over plain
// http, the page says once what helps.
async function stayAwake() {
  try {
    await navigator.wakeLock.request('screen');
  } catch {
    const hint = document.getElementById('awake');
    if (hint && !navigator.wakeLock && !recall('awake')) hint.hidden = false;
  }
}
document.addEventListener('visibilitychange', () => document.hidden || stayAwake());
document.getElementById('awake')?.addEventListener('click', ({ currentTarget }) => {
  remember('awake', 'told');
  currentTarget.hidden = true;
});
stayAwake();

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
