'use strict';
// What the pad needs of htmx, which alone would be a third of its first visit: a request whose answer
// takes the place of a part of the page. Other scripts hear of it by htmx's own events.

function tells(name, ctx) {
  const from = ctx.sourceElement.isConnected ? ctx.sourceElement : document;
  return from.dispatchEvent(new CustomEvent(`htmx:${name}`, { bubbles: true, cancelable: true, detail: { ctx } }));
}

async function ask(source, url, { target = source, body, form, submitter, headers, stop = new AbortController() } = {}) {
  const method = body ? 'POST' : 'GET';
  const request = { method, body, signal: stop.signal, headers: { 'HX-Request': 'true', ...headers } };
  setTimeout(() => stop.abort(), 15000);
  const ctx = { sourceElement: source, target, request: { ...request, action: url, form, submitter } };
  if (!tells('config:request', ctx)) return;
  let text;
  try {
    ctx.response = await (ctx.fetch?.() ?? fetch(url, request));
    text = await ctx.response.text();
  } catch {
    tells('error', ctx);
    return;
  }
  const { headers: answered, status } = ctx.response;
  if (!tells('before:response', ctx)) return;
  if (answered.has('HX-Redirect')) location.assign(answered.get('HX-Redirect'));
  else if (status >= 500) tells('response:error', ctx);
  else if (answered.has('HX-Retarget')) {
    ctx.target = said;
    said.innerHTML = text;
    tells('after:swap', ctx);
  } else put(ctx, text);
}

// The board is changed node by node, so whatever is open or scrolled in it stays so; a form is replaced
// as a whole. An answer without the part, such as a page of a hotel's network, changes nothing.
function put(ctx, text) {
  const { target } = ctx;
  const fresh = new DOMParser().parseFromString(text, 'text/html').getElementById(target.id);
  if (!fresh) return;
  if (target.id === 'board') Idiomorph.morph(target, fresh);
  else target.replaceWith(fresh);
  tells('after:swap', ctx);
}

document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event;
  const target = form.closest('#board, #count');
  if (!target) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form));
  if (submitter?.name) body.append(submitter.name, submitter.value);
  ask(form, form.getAttribute('action'), { target, body, form, submitter });
});
