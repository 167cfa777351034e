'use strict';
// The server is busy with what others ask: what was typed is asked again a moment later, not told off.
let retry;
document.addEventListener('htmx:before:response', (event) => {
  const { request, response, sourceElement } = event.detail.ctx;
  if (request.method !== 'GET' || response.status !== 429) return;
  event.preventDefault();
  retry = setTimeout(() => sourceElement.dispatchEvent(new Event('ask')), 1000);
});
document.addEventListener('htmx:before:request', () => clearTimeout(retry));
