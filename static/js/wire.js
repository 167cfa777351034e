// What every page with forms needs: a word about saving, and the focus in a sensible place.

const said = document.getElementById('said');
// A sentence with its one value; the server puts the sentences of its language between « and ».
const word = (text, value) => text.replace(/{\w+}/, () => value);
let hush;
// The reason that is shown already.
let told;

function say(text, bad = false) {
  clearTimeout(hush);
  said.toggleAttribute('data-bad', bad);
  said.textContent = text;
  if (text) hush = setTimeout(say, bad ? 9000 : 5000, '');
}

function recall(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}

function remember(name, value) {
  try { localStorage.setItem(name, value); } catch { /* a private window forgets, that is all */ }
}

// The server did not answer, or not sensibly: nothing on the page is replaced. A hand that is only
// laid out to be looked at was not to be saved.
function lost({ type, detail: { ctx } }) {
  if (!ctx || ctx.request.method === 'GET' || ctx.sourceElement.matches('.dealt')) return;
  if (type === 'htmx:response:error' && ctx.response.status < 500) return;
  say('«scripts.lost»', true);
}
document.addEventListener('htmx:error', lost);
document.addEventListener('htmx:response:error', lost);

// An answer without the fragment that it is to replace, such as a page of a hotel's network, changes nothing.
document.addEventListener('htmx:before:swap', (event) => {
  const [{ target, swapSpec, fragment } = {}] = event.detail.tasks;
  if (target?.id && swapSpec.style.startsWith('outer') && !fragment.getElementById(target.id)) event.preventDefault();
});

document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
  if (said.querySelector('#error')) say(said.textContent.trim(), true);
  // The button that was pressed keeps the focus, and may be far below the reason for a refusal.
  const alerts = document.getElementById(ctx?.target.id)?.querySelectorAll('[role="alert"]') ?? [];
  const reason = [...alerts].pop();
  if (ctx?.response?.status >= 400 || reason?.textContent !== told) reason?.scrollIntoView({ block: 'nearest' });
  told = reason?.textContent;
  const fresh = document.querySelector('[data-focus]');
  if (document.activeElement !== document.body && !fresh?.matches('input, [role="dialog"] *')) return;
  if (fresh) scrollTo(0, 0);
  (fresh ?? document.querySelector('h1[tabindex]'))?.focus({ preventScroll: true });
});

if (location.hash === '#saved') {
  document.getElementById('saved').remove();
  history.replaceState(history.state, '', location.pathname + location.search);
  // The pad says below its table what was saved.
  if (!document.querySelector('.done')) setTimeout(say, 50, '«scripts.saved»');
}
