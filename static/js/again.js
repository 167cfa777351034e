'use strict';
// If the server is too busy to answer (429), the question is sent again a moment later, without an error.
let retry;

// Puts a sentence in the place of answers, which would else seem to answer words that are new.
function unanswered({ detail: { ctx } }, says) {
  if (ctx?.sourceElement.id !== 'q') return;
  document.getElementById('answers').replaceChildren(Object.assign(document.createElement('p'), { className: 'paper inset', role: 'status', textContent: says }));
}
for (const name of ['htmx:error', 'htmx:response:error']) document.addEventListener(name, (event) => unanswered(event, '«scripts.unanswered»'));

document.addEventListener('htmx:before:response', (event) => {
  const { request, response, sourceElement } = event.detail.ctx;
  if (request.method !== 'GET' || response.status !== 429) return;
  event.preventDefault();
  unanswered(event, '«scripts.busy»');
  retry = setTimeout(() => sourceElement.dispatchEvent(new Event('ask')), 1000);
});
document.addEventListener('htmx:before:request', () => clearTimeout(retry));
