// For every page with forms: a line that says what was saved or refused, and the focus after an answer.

const said = document.getElementById('said');
// Returns a sentence with its one value filled in. In these scripts, « and » enclose the key of a sentence,
// which the server replaces with the sentence in the page's language.
const word = (text, value) => text.replace(/{\w+}/, () => value);
let hush;
// The reason for a refusal that was scrolled to already.
let told;

function say(text, bad = false) {
  clearTimeout(hush);
  said.toggleAttribute('data-bad', bad);
  said.textContent = text;
  if (text) hush = setTimeout(say, bad ? 9000 : 5000, '');
}

// What the label of a field says; of a player, only the whole name, without a mark beside it.
function labelOf(field) {
  const label = field.labels[0];
  const name = label?.querySelector('.nm');
  return name?.dataset.whole ?? (name ?? label)?.textContent;
}

function recall(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}

function remember(name, value) {
  try { localStorage.setItem(name, value); } catch { /* a private window forgets, that is all */ }
}

// Says that a change got lost, because the server didn't answer, or not sensibly; nothing on the page is
// replaced. Drawing the cards of a hand saves nothing, so it isn't said there.
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
