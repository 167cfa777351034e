'use strict';
// If the server is too busy to answer (429), the question is sent again a moment later, without an error.
let retry;
document.addEventListener('htmx:before:response', (event) => {
  const { request, response, sourceElement } = event.detail.ctx;
  if (request.method !== 'GET' || response.status !== 429) return;
  event.preventDefault();
  retry = setTimeout(() => sourceElement.dispatchEvent(new Event('ask')), 1000);
});
document.addEventListener('htmx:before:request', () => clearTimeout(retry));
