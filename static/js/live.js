'use strict';
// The pad keeps up with the other phones, rests while nobody looks at it, and works without the server:
// the form for the round is part of its page, and rounds saved meanwhile are shown as not sent.

const board = find('board');
const here = board?.dataset.game;
const isBoard = (event) => event.target.id === 'board';
// Whether Laydown answered, with a version or with its own headers. A hotel's login page has neither.
const isOurs = ({ status, headers }) => status < 500 && (headers.has('HX-PTag') || headers.has('Cross-Origin-Resource-Policy'));
const version = (tag) => (tag ?? '').split('.').map(Number);
const isCounting = () => find('count')?.hidden === false;
let answered = Date.now();
let unreached = 0;
let off = false;
let unsent = [];
// The outbox's sentence about what isn't sent yet, and the numbers of the rounds that it sent just now.
let waits = '';
let sent = [];

// A long pad is scrolled to the round that is being played.
document.querySelector('tr[data-now]')?.scrollIntoView({ block: 'nearest' });

// The screen stays on while somebody looks at a game that is played, unless they want it otherwise.
function stayAwake() {
  if (!document.hidden && find('awake') && find('count-round')) navigator.wakeLock?.request('screen').catch(() => {});
}
document.addEventListener('visibilitychange', stayAwake);
stayAwake();
// Over plain http a browser isn't asked for that; a film does it, and plays only after a tap.
if (!navigator.wakeLock && find('awake')) document.addEventListener('click', () => import(find('awake').dataset.film).catch(() => {}), { once: true });

// The running turn counts down between two answers, by the server's clock.
let reckoned;
let ahead = 0;
setInterval(() => {
  const strip = find('to-clock');
  if (!strip) return;
  if (reckoned !== strip.dataset.now) ahead = Date.now() - (reckoned = strip.dataset.now);
  const rest = Math.max(0, strip.dataset.ends - (Date.now() - ahead));
  const seconds = Math.ceil(rest / 1000);
  const time = strip.querySelector('.fig');
  time.textContent = rest ? `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}` : time.dataset.over;
  strip.querySelector('progress').value = rest;
  strip.toggleAttribute('data-up', !rest);
}, 250);

// A <details> that somebody has opened on the board stays open when the board changes.
htmx.registerExtension('open', { htmx_before_morph_attr: (_, { attrName, newValue }) => attrName !== 'open' || newValue !== null });

const refresh = () => board?.dispatchEvent(new Event('refresh'));
document.addEventListener('visibilitychange', refresh);
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return;
  // The form begins with the hand of the phone's player, and somebody may have changed whose phone this
  // is: so the page's form is loaded again.
  if (board && !isCounting()) {
    find('count')?.remove();
    find('carried').dataset.of = '';
    carry();
  }
  refresh();
});
addEventListener('online', refresh);
addEventListener('offline', () => reach(false));

// One request at a time. A request that waited for another one's answer gets the version that is shown
// now, not the one from when it was made.
document.addEventListener('htmx:before:request', (event) => {
  const isStrip = event.target.id === 'clock-strip';
  if ((isBoard(event) || isStrip) && (document.hidden || isCounting())) event.preventDefault();
  if (!isBoard(event)) return;
  event.detail.ctx.request.headers['HX-PTag'] = board.dataset.version;
});

// An answer that a newer one has overtaken on the way isn't shown: scores would seem to go back.
document.addEventListener('htmx:before:response', (event) => {
  const { response, target } = event.detail.ctx;
  if (isBoard(event)) {
    // The phone was sent away: the page says so, instead of a score that doesn't change any more.
    if (response.status === 401 && isOurs(response)) location.reload();
    reach(isOurs(response));
    const result = response.headers.get('HX-Redirect');
    if (result) {
      event.preventDefault();
      finish(result);
      return;
    }
  }
  // An answer without a version isn't a board.
  else if (target !== board || !response.headers.has('HX-PTag')) return;
  const [seq, revision] = version(response.headers.get('HX-PTag'));
  const [shown, shownRevision] = version(board.dataset.version);
  if (seq < shown || (seq === shown && revision < shownRevision)) event.preventDefault();
});

// The game is finished: the phone goes to its result. A sheet that is open stays until somebody closes it,
// and leads there.
function finish(result) {
  const sheet = document.body.hidePopover && document.querySelector('.sheet:popover-open');
  if (!sheet) location.replace(result);
  else if (!find('to-result')) sheet.prepend(Object.assign(document.createElement('p'), { id: 'to-result', className: 'done', innerHTML: `<span>«scripts.over»</span><a class="link" href="${result}">«scripts.result»</a>` }));
}

document.addEventListener('htmx:error', (event) => {
  if (isBoard(event)) reach(false);
});

document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
  if (ctx.target.id !== 'board') return;
  showUnsent();
  carry();
  stayAwake();
});

// Notes whether the server is in reach, and shows it in the head of the page. An answer to a request from
// before it was out of reach can come late: it doesn't mean that the server is back.
function reach(well, asked = Date.now()) {
  if (asked < unreached) return;
  if (well) answered = Date.now();
  else unreached = Date.now();
  if (off === well) {
    off = !well;
    tell();
    report();
  }
  find('count')?.toggleAttribute('data-off', off && Boolean(board));
  for (const line of all('.head .top p')) {
    if (off === Boolean(line.firstElementChild)) continue;
    const [mark, ...says] = line.childNodes;
    if (off) line.prepend(Object.assign(document.createElement('b'), { className: 'off', textContent: '«scripts.offline»' }), ' · ');
    else line.replaceChildren(says.at(-1) ?? mark);
  }
}

// Asked before a link is followed: without the server, it would lead to the browser's error page.
async function isThere() {
  const url = board ? `${here}/board` : form().getAttribute('action');
  try {
    reach(isOurs(await fetch(url, { headers: { 'HX-PTag': board?.dataset.version ?? '' }, signal: AbortSignal.timeout?.(3000) })));
  } catch {
    reach(false);
  }
  return !off;
}

document.addEventListener('click', async (event) => {
  const link = event.target.closest('a[href]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (board && link.matches('#count #top-link')) {
    event.preventDefault();
    history.back();
  } else if (opens(link) && openCount(navigator.onLine && !off && Date.now() - answered < 5000)) {
    event.preventDefault();
    history.pushState(null, '', form().getAttribute('action'));
    const [, who] = link.href.split('player=');
    if (who) turnTo(find(`left-${who}`));
  } else {
    event.preventDefault();
    if (await isThere()) location.assign(link.href);
    else say('«scripts.unreachable»', true);
  }
});

const opens = (link) => board && (link.id === 'count-round' || link.href.includes(`${find('count-round')?.href}?player=`));

// Loads the form for the round again when the game has a new entry. A new revision alone (a name, a link)
// doesn't change what can be counted.
async function carry() {
  const { dataset } = find('carried');
  const shown = board.dataset.version;
  const link = find('count-round');
  if (!link || !shown || version(shown)[0] === version(dataset.of)[0]) return;
  try {
    const answer = await fetch(link.href, { headers: { 'HX-Request': 1 } });
    if (!answer.ok) return;
    find('carried').innerHTML = await answer.text();
    dataset.of = shown;
  } catch { /* the next time that the pad changes */ }
}

// Opens the form that came with the page. While the server answers (`soon`), only a form that is up to
// date will do: else the link is followed. Without the server an older one has to.
function openCount(soon) {
  say('');
  sent = [];
  const carried = find('carried');
  const old = find('count');
  const isNow = version(carried.dataset.of)[0] === version(board.dataset.version)[0];
  if (!carried.content.firstElementChild || (soon && !isNow)) return false;
  const made = unsent.reduce(turnOver, document.importNode(carried.content, true).firstElementChild);
  if (!made) return false;
  if (old?.getAttribute('action') === made.getAttribute('action') && old.dataset.of === carried.dataset.of) {
    old.hidden = false;
    judge(0);
  } else {
    old?.remove();
    made.dataset.of = carried.dataset.of;
    // Each time it's opened it's a form of its own, so it gets a key of its own.
    made.elements.key.value = [...crypto.getRandomValues(new Uint32Array(4))].map((each) => each.toString(36)).join('-');
    board.after(made);
    // On a wide screen the earlier rounds are shown below.
    const sheet = matchMedia('(min-width: 56rem)').matches && find('sheet').cloneNode(true);
    if (sheet) made.querySelector('.body').append(sheet);
    for (const each of sheet ? [sheet, ...sheet.querySelectorAll('[id]')] : []) each.removeAttribute('id');
    htmx.process(made);
    fit();
    arrive();
  }
  reach(!off);
  scrollTo(0, 0);
  if (!document.activeElement.matches('#count .num input')) find('count').querySelector('h1').focus();
  return true;
}

// Applies an unsent save to the form. After a whole round comes the form of the next one, if the phone can
// add the scores itself; single hands are filled into their boxes.
function turnOver(made, { url, body }) {
  const number = Number(/\d+$/.exec(url)[0]);
  if (made?.getAttribute('action') !== url) return made;
  const typed = new URLSearchParams(body);
  for (const each of made.elements) {
    if (isTick(each)) each.defaultChecked = typed.getAll(each.name).includes(each.value);
    else if (each.type !== 'hidden' && typed.has(each.name)) each.defaultValue = typed.get(each.name);
  }
  if (typed.has('part')) return made;
  if (!made.matches('[data-adds]') || find('count-round').matches('[data-last]')) return null;
  const next = document.createElement('template');
  next.innerHTML = made.outerHTML.replaceAll(`/rounds/${number}`, `/rounds/${number + 1}`);
  for (const line of next.content.querySelectorAll('#save, .top p, h1, .sum th')) line.textContent = line.textContent.replace(RegExp(`${number}( ·.*)?$`), number + 1);
  for (const field of next.content.querySelectorAll('[type="hidden"]')) field.setAttribute('value', 0);
  return playOn(next.content)?.firstElementChild;
}

addEventListener('popstate', () => {
  if (!board) location.reload();
  else if (location.pathname === here) {
    if (find('count')) find('count').hidden = true;
    fit();
    showUnsent();
    refresh();
  } else openCount(false);
});

// The save is stored in the phone: the pad shows it, and the outbox sends it.
document.addEventListener('kept', putAway);
function putAway() {
  try { sessionStorage.removeItem(kept()); } catch { /* nothing is kept */ }
  form().remove();
  history.back();
}

document.addEventListener('outbox', ({ detail: { items, line } }) => {
  unsent = items.filter(({ url }) => url.startsWith(`${here}/rounds/`) && /\/rounds\/\d+$/.test(url));
  const isKept = off && items.length === unsent.length;
  waits = isKept ? '' : line;
  tell();
  // A line of this page says it: that of the form which is being sent, or that of the pad.
  const hasLine = form()?.hidden === false ? isSaving() : Boolean(board);
  box.firstElementChild.hidden = isKept || hasLine;
  // The server went out of reach while this form was being sent: it's put away, as any save offline.
  const mine = off && board && isCounting() && unsent.find(({ id, url }) => live.has(id) && url === form().getAttribute('action'));
  if (mine) {
    live.delete(mine.id);
    putAway();
  }
  showUnsent();
});

document.addEventListener('sent', ({ detail: { url, body } }) => {
  const number = url.startsWith(`${here}/rounds/`) && /\/rounds\/(\d+)$/.exec(url)?.[1];
  // A single hand needs no line: the pad shows whose hands are counted.
  if (!number) return;
  say('');
  if (!new URLSearchParams(body).has('part')) sent.push(number);
  showUnsent();
  // The line stays until the pad has news or is left.
  setTimeout(() => { sent = []; }, 6000);
});

const listed = (some) => new Intl.ListFormat(document.documentElement.lang).format(some);

// The line below the table about what isn't sent yet, or was sent just now. It takes the place of the line
// about the last save (`shelved`), which comes back after it.
let shelved;
function clearLine() {
  const line = find('own-line');
  if (line && shelved) line.replaceWith(shelved);
  line?.remove();
}

function showLine(kind, ...says) {
  clearLine();
  const line = Object.assign(document.createElement('p'), { id: 'own-line', className: 'done', role: 'status' });
  line.dataset[kind] = '';
  const text = document.createElement('span');
  text.append(...says);
  line.append(text);
  shelved = board.querySelector('.done');
  if (shelved) shelved.replaceWith(line);
  else board.querySelector('.upnext').before(line);
  return line;
}

// Shows the unsent saves on the pad: their hands in its cells, and the line below the table.
function showUnsent() {
  if (!board) return;
  find('kept-says')?.remove();
  clearLine();
  if (!unsent.length && waits) showLine('unsent', waits);
  else if (!unsent.length && sent.length) showLine('sent', word(sent[1] ? '«scripts.sent-rounds»' : '«scripts.sent-round»', listed(sent)));
  // A cell whose save was sent since needs the server's score: without a version the board comes whole.
  if (all('.pad td[data-unsent] [id]').some(({ id }) => !unsent.some(({ url }) => url.endsWith(`/${id.slice(1).split('-')[0]}`)))) board.dataset.version = '';
  const [rounds, hands] = [[], []];
  for (const { url, body } of unsent) {
    const number = /\d+$/.exec(url)[0];
    const typed = new URLSearchParams(body);
    const outs = typed.getAll('out').map((value) => value.split('-')[0]);
    if (!typed.has('part')) rounds.push(number);
    for (const [name, left] of typed) {
      const player = name.startsWith('left-') && name.slice(5);
      const cell = player && find(`c${number}-${player}`);
      // If only some hands were saved, the others on the form are on other phones: blank, or saved already.
      if (!cell || (typed.has('part') && (typed.get(`base-${player}`) !== '0' || !(left || outs.includes(player))))) continue;
      if (typed.has('part')) hands.push(find(`p${player}`)?.dataset.whole ?? find(`p${player}`)?.textContent);
      // Points on the table count as well. Adding those up is left to the server, so this shows a tick.
      const sum = typed.has(`table-${player}`) ? NaN : left.split('+').reduce((total, each) => total + Number(each), 0);
      cell.parentElement.dataset.unsent = '';
      cell.replaceChildren(Number.isNaN(sum) ? '✓' : sum, Object.assign(document.createElement('small'), { innerHTML: '<span class="vh">«scripts.not-sent»</span>' }));
    }
  }
  if (unsent.length) {
    const says = [
      rounds.length && word(rounds[1] ? '«scripts.kept-rounds»' : '«scripts.kept-round»', listed(rounds)),
      hands.length && word(hands[1] ? '«scripts.kept-hands»' : '«scripts.kept-hand»', listed(hands)),
    ].filter(Boolean);
    const where = off ? [Object.assign(document.createElement('b'), { textContent: '«scripts.offline».' }), ' '] : [];
    const now = { type: 'button', className: 'link', textContent: '«scripts.try-now»', onclick: () => flush({ type: 'online' }) };
    showLine('unsent', ...where, says.join(' ')).append(Object.assign(document.createElement('button'), now));
    board.querySelector('.upnext').before(Object.assign(document.createElement('p'), { id: 'kept-says', className: 'upnext', textContent: '«scripts.kept-says»' }));
    const next = find('count-round');
    const number = Number(/\d+$/.exec(next.href)[0]) + 1;
    if (unsent.some(({ url, body }) => next.getAttribute('href') === url && !new URLSearchParams(body).has('part')) && !next.matches('[data-last]')) next.textContent = next.textContent.replace(/\d+/, number);
  }
  reach(!off);
}

arrive();
