// A save waits in the phone until it is answered. It's stored before it's sent, sent in order, and
// sent again with the same key, even after a reload: so it's neither lost nor done twice.

const box = document.getElementById('outbox');
// The items that a form on this page waits for, by number: [item, settle]; and the pending answers,
// by the address and body that were posted.
const live = new Map();
const posted = new Map();
// On a server of many houses, each has an outbox of its own: what waits in one isn't another's to send.
const OF_HOUSE = box.dataset.house ? ` ${box.dataset.house}` : '';
const NOWHERE = '«scripts.nowhere»';
const SOON = 300;
const LATE = 3000;
// `opening` is the database, `refused` the module that shows refused items. `busy` is true during a try, and
// `again` if another one was asked for meanwhile. `tries` counts failed tries in a row, and `calm` those
// before the network came back: only the later ones make the pause longer. `rest` is the pause in ms that
// the server asked for.
let opening;
let refused;
let busy;
let again;
let tries = 0;
let calm = 0;
let rest;
let timer;

// Calls a method of the phone's database of unsent items, such as "add"; fails if it can't be opened.
async function store(method, what) {
  opening ??= new Promise((ok, no) => {
    setTimeout(no, LATE);
    const asked = indexedDB.open(`laydown${OF_HOUSE}`);
    asked.onupgradeneeded = () => asked.result.createObjectStore('outbox', { keyPath: 'id', autoIncrement: true });
    asked.onsuccess = () => {
      asked.result.onclose = () => { opening = null; };
      ok(asked.result);
    };
    asked.onerror = no;
  });
  // Strict: done only when it's on the disk, so that a phone that dies now still has the save.
  const change = (await opening).transaction('outbox', 'readwrite', { durability: 'strict' });
  const asked = change.objectStore('outbox')[method](what);
  return new Promise((ok, no) => {
    change.oncomplete = () => ok(asked.result);
    change.onabort = no;
  });
}

// Returns the items to send, in order. If another tab has sent and deleted one whose form on this page still
// waits for the answer, it's sent once more: its key makes that harmless, and it brings the answer. Refused
// items aren't among them: they need somebody's decision, not another try.
function waiting(items) {
  const all = [...items, ...[...live.values()].map(([item]) => item)];
  return [...new Map(all.map((item) => [item.id, item])).values()].filter((item) => !item.why);
}

// Only Laydown itself can say yes or no: a hotel's login page can't. A status that
// says to try again, or to log in first, isn't an answer to the save.
function isAnswer({ ok, status, headers }) {
  if (ok) return headers.has('HX-PTag') || headers.has('HX-Redirect');
  return status < 500 && !/401|408|425|429/.test(status) && headers.has('Cross-Origin-Resource-Policy');
}

// Sends an item once. Returns Laydown's answer, or null if there was none.
async function send({ url, body }) {
  try {
    const signal = AbortSignal.timeout?.(8000);
    const answer = await fetch(url, { method: 'POST', headers: { 'HX-Request': 1 }, signal, body: new URLSearchParams(body) });
    // Read whole: half an answer is no answer.
    await answer.clone().text();
    if (isAnswer(answer)) return answer;
    // The phone isn't in any more: what it has saved here waits until it is.
    if (answer.status === 401 && OF_HOUSE) say('«scripts.not-in»', true);
    rest = 1000 * answer.headers.get('Retry-After');
  } catch {}
  return null;
}

// Deletes an item that was saved, and refused versions of the same form that somebody has opened again
// (`seen`): with this save they are settled.
async function saved(item) {
  for (const { id, seen, url } of await store('getAll')) {
    if (id === item.id || (seen && url === item.url)) await store('delete', id);
  }
}

// Sends the next item. Answers whether it got an answer; undefined if there is none to send.
async function attempt() {
  const [item] = waiting(await store('getAll'));
  if (!item) return undefined;
  const answer = await send(item);
  if (!answer) return false;
  const mine = live.get(item.id);
  if (answer.ok) {
    // Deleted only after the answer: if this page goes away before, the next one sends it again, and the
    // key makes that harmless.
    await saved(item);
    live.delete(item.id);
    if (!mine) {
      say(word('«scripts.saved-what»', item.says));
      document.dispatchEvent(new CustomEvent('sent', { detail: item }));
      document.getElementById('board')?.dispatchEvent(new Event('refresh'));
    }
  } else {
    item.why = await answer.clone().text() || '?';
    await store('put', item);
    if (mine) {
      mine[0].why = item.why;
      // Its form shows the reason itself, so it needn't be listed over the page.
      setTimeout(drop, SOON, item);
    }
  }
  mine?.[1](answer);
  return true;
}

// Forgets an item: in the store first, because a refused one there that no form waits for would be shown
// over the page.
async function drop({ id }) {
  await store('delete', id);
  live.delete(id);
  report();
}

// Sends items until none is left or a try fails; then it tries again later, less and less often. One tab at
// a time does it. If a sleeping tab has the lock, it isn't waited for: thanks to the keys it does no harm if
// two tabs send the same item.
async function flush(event) {
  again = true;
  // The network can come a moment after this event, so the next tries come soon.
  if (event?.type === 'online') calm = tries;
  if (busy) return;
  busy = true;
  again = false;
  clearTimeout(timer);
  try {
    const went = await (navigator.locks?.request(`outbox${OF_HOUSE}`, { signal: AbortSignal.timeout?.(2000) }, attempt).catch(attempt) ?? attempt());
    tries = went === false ? tries + 1 : (calm = 0);
    // Something asked for a try during this one, such as the network coming back.
    if (went || again) timer = setTimeout(flush);
    // Less and less often, up to 30 s, and spread by a quarter each way.
    else if (tries) timer = setTimeout(flush, Math.max(rest || 0, Math.min(30000, 500 * 2 ** (tries - calm)) * (0.75 + Math.random() / 2)));
  } catch {}
  rest = 0;
  busy = false;
  report();
}

// Shows what waits, in a line, and what was refused, until somebody decides on it. Nothing is shown at
// first, as most saves are answered by then. A page with a line of its own shows it there.
async function report() {
  const items = await store('getAll').catch(() => []);
  const [first, ...others] = waiting(items);
  const age = first ? Date.now() - first.at : 0;
  const more = others.length ? word('«scripts.more»', others.length) : '';
  const line = age < SOON ? '' : word(age < LATE ? '«scripts.sending»' : '«scripts.trying»', first.says) + more;
  const shown = waiting(items).filter(({ at }) => Date.now() - at >= SOON || !live.size);
  document.dispatchEvent(new CustomEvent('outbox', { detail: { items: shown, line } }));
  if (first && age < LATE) setTimeout(report, (age < SOON ? SOON : LATE) - age);
  if (box.firstElementChild.textContent !== line) box.firstElementChild.textContent = line;
  const stuck = items.filter(({ id, why }) => (why ? !live.has(id) : tries > 4 && id === first.id));
  if (!stuck.length && !box.children[1]) return;
  // A browser never asks again for a module that it couldn't get: by another address it does.
  refused ??= import(`${box.dataset.refused}?${tries}`);
  refused.then(({ list }) => list(stuck), () => { refused = null; });
}

// A form in one line: its own words, with the values of its fields filled in; else its button and what
// was typed.
function describe(form, pressed) {
  if (form.dataset.says) return form.dataset.says.replace(/{(\w+)}/g, (_, name) => form.elements[name]?.value ?? _);
  const typed = [...form.querySelectorAll('[maxlength], select')]
    .filter((field) => field.offsetParent && field.value)
    .map((field) => field.selectedOptions?.[0].textContent ?? `${labelOf(field)} ${field.value}`);
  return [pressed.ariaLabel || pressed.innerText, ...typed].join(' · ').replace(/\s+/g, ' ').trim();
}

// The same form tapped twice is sent once; another form is sent after it.
function post(item) {
  const name = `${item.url} ${item.body}`;
  if (!posted.has(name)) posted.set(name, begin(item).finally(() => posted.delete(name)));
  return posted.get(name);
}

// Stored first, sent then. If storing fails, this fails, and the form is sent without the outbox.
async function begin(item) {
  item.id = await store('add', item);
  const answer = new Promise((settle) => { live.set(item.id, [item, settle]); });
  report();
  flush();
  return answer;
}

document.addEventListener('htmx:config:request', (event) => {
  const { ctx } = event.detail;
  const { action: url, body, form, submitter } = ctx.request;
  // A form without a key saves nothing. Nor do these: a lost answer to them is just asked for again.
  if (ctx.request.method !== 'POST' || !body.has('key') || body.has('change') || url.endsWith('/fill')) return;
  const pressed = submitter ?? (ctx.sourceElement.matches('button') ? ctx.sourceElement : form.querySelector('.go, button'));
  const item = { url, body: String(new URLSearchParams(body)), says: describe(form, pressed), at: Date.now() };
  // When the server is out of reach, the pad continues at once, and shows what is stored here.
  if (form?.matches('[data-off]')) {
    event.preventDefault();
    // Not after trying to send it: that can take 8 s to fail.
    store('add', item).then(() => form.dispatchEvent(new Event('kept', { bubbles: true })), () => { box.firstElementChild.textContent = NOWHERE; }).then(report).then(flush);
    return;
  }
  const answer = post(item);
  // htmx gets the outbox's answer instead of its own. A body can be read once, so each gets a copy.
  ctx.fetch = () => answer.then((each) => each.clone(), () => {
    box.firstElementChild.textContent = NOWHERE;
    return fetch(url, ctx.request);
  });
});

for (const event of ['online', 'focus', 'pageshow', 'visibilitychange']) addEventListener(event, flush);
