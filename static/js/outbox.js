// A save waits in the phone until it is answered. It is kept before it is sent, sent in order, and
// again under the same key, over reloads too: so it is neither lost nor done twice.

const box = document.getElementById('outbox');
// What a form on this page waits for, by its number: [item, settle]; and the answers, by what was posted.
const live = new Map();
const posted = new Map();
const NOWHERE = '«scripts.nowhere»';
const SOON = 300;
const LATE = 3000;
let opening;
let refused;
let busy;
let again;
let tries = 0;
let calm = 0;
let rest;
let timer;

async function store(method, what) {
  opening ??= new Promise((ok, no) => {
    setTimeout(no, LATE);
    const asked = indexedDB.open('laydown');
    asked.onupgradeneeded = () => asked.result.createObjectStore('outbox', { keyPath: 'id', autoIncrement: true });
    asked.onsuccess = () => {
      asked.result.onclose = () => { opening = null; };
      ok(asked.result);
    };
    asked.onerror = no;
  });
  const change = (await opening).transaction('outbox', 'readwrite', { durability: 'strict' });
  const asked = change.objectStore('outbox')[method](what);
  return new Promise((ok, no) => {
    change.oncomplete = () => ok(asked.result);
    change.onabort = no;
  });
}

// What another tab has sent is sent once more by the page that waits for its answer.
function waiting(items) {
  const all = [...items, ...[...live.values()].map(([item]) => item)];
  return [...new Map(all.map((item) => [item.id, item])).values()].filter((item) => !item.why);
}

// Only Laydown itself can say yes or no: the page of a hotel's network cannot.
function isAnswer({ ok, status, headers }) {
  if (ok) return headers.has('HX-PTag') || headers.has('HX-Redirect');
  return status < 500 && !/401|408|425|429/.test(status) && headers.has('Cross-Origin-Resource-Policy');
}

async function send({ url, body }) {
  try {
    const signal = AbortSignal.timeout?.(8000);
    const answer = await fetch(url, { method: 'POST', headers: { 'HX-Request': 1 }, signal, body: new URLSearchParams(body) });
    // Half an answer is none.
    await answer.clone().text();
    if (isAnswer(answer)) return answer;
    rest = 1000 * answer.headers.get('Retry-After');
  } catch {}
  return null;
}

// Once it is saved, what was refused and looked at again is settled too.
async function saved(item) {
  for (const { id, seen, url } of await store('getAll')) {
    if (id === item.id || (seen && url === item.url)) await store('delete', id);
  }
}

// Whether the next one was answered; nothing where there is none.
async function attempt() {
  const [item] = waiting(await store('getAll'));
  if (!item) return undefined;
  const answer = await send(item);
  if (!answer) return false;
  const mine = live.get(item.id);
  if (answer.ok) {
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
      // By then its form says why.
      setTimeout(drop, SOON, item);
    }
  }
  mine?.[1](answer);
  return true;
}

// From the store first: what is refused there, and waited for by no form, is told above the page.
async function drop({ id }) {
  await store('delete', id);
  live.delete(id);
  report();
}

// One tab at a time; one that sleeps on the lock is not waited for, as the keys make it harmless.
async function flush(event) {
  again = true;
  // The network can come a moment after this event, so the next tries come soon.
  if (event?.type === 'online') calm = tries;
  if (busy) return;
  busy = true;
  again = false;
  clearTimeout(timer);
  try {
    const went = await (navigator.locks?.request('outbox', { signal: AbortSignal.timeout?.(2000) }, attempt).catch(attempt) ?? attempt());
    tries = went === false ? tries + 1 : (calm = 0);
    // Something asked for a try during this one, such as the network coming back.
    if (went || again) timer = setTimeout(flush);
    else if (tries) timer = setTimeout(flush, Math.max(rest || 0, Math.min(30000, 500 * 2 ** (tries - calm)) * (0.75 + Math.random() / 2)));
  } catch {}
  rest = 0;
  busy = false;
  report();
}

// What waits, in a line; and what was refused, until somebody decides on it.
async function report() {
  const items = await store('getAll').catch(() => []);
  const [first, ...others] = waiting(items);
  const age = first ? Date.now() - first.at : 0;
  document.dispatchEvent(new CustomEvent('outbox', { detail: waiting(items).filter(({ at }) => Date.now() - at >= SOON || !live.size) }));
  const more = others.length ? word('«scripts.more»', others.length) : '';
  const line = age < SOON ? '' : word(age < LATE ? '«scripts.sending»' : '«scripts.trying»', first.says) + more;
  if (first && age < LATE) setTimeout(report, (age < SOON ? SOON : LATE) - age);
  if (box.firstElementChild.textContent !== line) box.firstElementChild.textContent = line;
  const stuck = items.filter(({ id, why }) => (why ? !live.has(id) : tries > 4 && id === first.id));
  if (!stuck.length && !box.children[1]) return;
  // A browser never asks again for a module that it couldn't get: by another address it does.
  refused ??= import(`${box.dataset.refused}?${tries}`);
  refused.then(({ list }) => list(stuck), () => { refused = null; });
}

// What a form says in a line: by its own words, with what is in its fields for their names; else its
// button, and what was typed.
function describe(form, pressed) {
  if (form.dataset.says) return form.dataset.says.replace(/{(\w+)}/g, (_, name) => form.elements[name]?.value ?? _);
  const typed = [...form.querySelectorAll('[maxlength], select')]
    .filter((field) => field.offsetParent && field.value)
    .map((field) => field.selectedOptions?.[0].textContent ?? `${field.labels[0]?.querySelector('[data-whole]')?.dataset.whole ?? field.labels[0]?.textContent} ${field.value}`);
  return [pressed.ariaLabel || pressed.innerText, ...typed].join(' · ').replace(/\s+/g, ' ').trim();
}

// The same form sent twice is one thing; another form is another, and comes next.
function post(item) {
  const name = `${item.url} ${item.body}`;
  if (!posted.has(name)) posted.set(name, begin(item).finally(() => posted.delete(name)));
  return posted.get(name);
}

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
  // A form without a key saves nothing, and what is only looked at is asked for again.
  if (ctx.request.method !== 'POST' || !body.has('key') || body.has('change') || url.endsWith('/fill')) return;
  const pressed = submitter ?? (ctx.sourceElement.matches('button') ? ctx.sourceElement : form.querySelector('.go, button'));
  const item = { url, body: String(new URLSearchParams(body)), says: describe(form, pressed), at: Date.now() };
  // Without the server the pad goes on at once, and shows what is kept here.
  if (form?.matches('[data-off]')) {
    event.preventDefault();
    // It is shown at once, however long the server takes to say nothing.
    store('add', item).then(() => form.dispatchEvent(new Event('kept', { bubbles: true })), () => { box.firstElementChild.textContent = NOWHERE; }).then(report).then(flush);
    return;
  }
  const answer = post(item);
  ctx.fetch = () => answer.then((each) => each.clone(), () => {
    box.firstElementChild.textContent = NOWHERE;
    return fetch(url, ctx.request);
  });
});

for (const event of ['online', 'focus', 'pageshow', 'visibilitychange']) addEventListener(event, flush);
