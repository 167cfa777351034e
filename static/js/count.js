'use strict';
// A count while it's typed: one line shows its state, it survives a reload, and it takes over what other
// phones save. The keypad does the typing.

// The player that a field is for. Its name ends in their id, "left-12"; for the ticks in `BY_VALUE` the
// value begins with it, because all players have ticks of one name.
const BY_VALUE = /^(out|untaken)$/;
const idOf = ({ name, value }) => BY_VALUE.test(name) ? value.split('-')[0] : name.split('-')[1];
const APART = '«counts.apart»';
const signed = (number) => (Math.abs(number) < 10000 ? String(number) : String(number).replace(/...$/, `${APART}$&`)).replace('-', '−');
const isCards = (text) => /[a-z♠♥♦♣]/i.test(text);
const terms = (field) => field.value.toUpperCase().replace(/[−-]/g, '+-').split(/[+\s,]+/).filter(Boolean);
const form = () => find('count');
const isNew = () => form()?.matches('[data-new]');
const isSaving = () => form().matches('.htmx-request');
const snapshot = () => JSON.stringify(all('#count input:not([type="hidden"])').map(({ value, checked }) => [value, checked]));

// Sets a box to a value that nobody has typed into it.
function put(input, { value = input.value, checked = input.checked }) {
  Object.assign(input, { value, checked });
  input.closest('.step')?.toggleAttribute('data-zero', !Number(value));
}

// Shows a sentence in a line, after the doubt that is asked about.
function spell(line, says, asks = '') {
  const first = Object.assign(document.createElement('b'), { textContent: asks });
  line.firstElementChild.replaceChildren(...asks ? [first, ` ${says}`] : [says]);
}

// Marks the boxes that are doubtful or can't be read, before anybody saves.
function mark({ odd = [], wrong = [] }) {
  for (const [how, ids] of [['odd', odd], ['no', wrong]]) {
    for (const each of all(`#count [data-${how}]`)) delete each.dataset[how];
    for (const id of ids) if (find(id)) boxOf(find(id)).dataset[how] = '';
  }
}
const boxOf = (field) => field.closest('.num, .step, .chip, .tick, .nobody') ?? field;

// Closes the sheet that asks, and selects the box that a button names, to be changed.
function unask({ value }) {
  for (const each of all('.shade, #asks')) each.remove();
  for (const each of all('[data-asked]')) delete each.dataset.asked;
  if (value) reachFor(find(value));
}
document.addEventListener('click', (event) => {
  const button = event.target.closest('[name="change"]');
  if (!button && !event.target.matches('.shade')) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  unask(button ?? {});
}, true);
document.addEventListener('keydown', ({ key }) => { if (key === 'Escape' && find('asks')) unask({}); });

// While a sheet asks about a row, that row is marked and scrolled to above the sheet.
function lightUp() {
  const row = find(find('asks')?.dataset.at)?.closest('.hand, tr, #close-how');
  if (!row) return;
  row.dataset.asked = '';
  row.scrollIntoView({ block: 'center' });
  const gap = row.getBoundingClientRect().bottom + 8 - (innerHeight - find('asks').offsetHeight);
  const body = row.closest('.body');
  if (gap > 0) body.scrollTop += gap;
}

let judging;
let asked;
// The server's latest answer about the count: [what was typed, answer]. It holds until something is typed.
let known = [];

// Asks the server about the count as typed. An answer about something that has been changed meanwhile is
// dropped: what was typed since asks for its own.
function judge(soon = 300) {
  clearTimeout(judging);
  judging = setTimeout(async () => {
    if (!form() || 'closed' in form().dataset) return;
    asked?.abort();
    const { signal } = asked = new AbortController();
    const url = form().dataset.judge;
    const typed = snapshot();
    const at = Date.now();
    try {
      const answer = await fetch(url, { method: 'POST', headers: { 'HX-Request': 1 }, body: new URLSearchParams(new FormData(form())), signal });
      reach(isOurs(answer), at);
      const judged = answer.ok && isOurs(answer) && await answer.json();
      if (judged && form()?.dataset.judge === url && typed === snapshot()) tell(judged);
    } catch {
      // Aborted by the next question, which says nothing about the server.
      if (signal.aborted) return;
      reach(false);
      tell();
    }
  }, soon);
}

// The inputs of one hand, by player; a team's are mostly those of its first player.
const keyOf = ({ id, name, value }) => id || name + value;
const valueOf = ({ value, checked }) => value + checked;
const handIn = (within, player) => [...within.elements].filter(({ type, name, value }) => type !== 'hidden' && idOf({ name, value }) === player);
let first = {};
const isChanged = (input) => keyOf(input) in first && first[keyOf(input)] !== valueOf(input);
const isTouched = (player) => partners(player).some((each) => handIn(form(), each).some(isChanged));
const baseOf = (player) => form().elements[`base-${player}`];

// Sets the inputs of a hand to those of the server's form, which then count as unchanged.
function takeOver(mine, theirs) {
  const fresh = new Map(theirs.map((each) => [keyOf(each), each]));
  for (const each of mine) {
    // The Out of a saved hand doesn't exclude another, so its type comes from the server's form too.
    const now = fresh.get(keyOf(each)) ?? each;
    each.type = now.type;
    put(each, now);
    first[keyOf(each)] = valueOf(each);
  }
}

// Puts what other phones have saved into the hands that nobody has typed in here. Hands that somebody has
// keep their base, so that a save asks which is right. The current row keeps its place on the screen.
function catchUp(fresh) {
  const mine = form();
  const body = mine.querySelector('.body');
  const row = mine.querySelector('[data-here]') ?? body;
  const place = row.getBoundingClientRect().top;
  const news = all('#count [name^="base-"]').filter(({ name, value }) => fresh.elements[name] && fresh.elements[name].value !== value);
  for (const base of news) {
    if (isTouched(idOf(base))) continue;
    base.value = fresh.elements[base.name].value;
    takeOver(handIn(mine, idOf(base)), handIn(fresh, idOf(base)));
    const dealt = find(`dealt-${idOf(base)}`);
    dealt?.replaceChildren(...fresh.querySelector(`#${dealt.id}`).childNodes);
    find(`left-${idOf(base)}`)?.closest('.hand')?.toggleAttribute('data-away', true);
  }
  const ways = (within) => [...within.elements].filter(({ name }) => /^(close|shown|turned)$/.test(name));
  if (!ways(mine).some(isChanged)) takeOver(ways(mine), ways(fresh));
  for (const field of fields()) show(field);
  tell();
  judge(0);
  body.scrollTop += row.getBoundingClientRect().top - place;
}

// Another phone completed the round, or undid or ended the game. A phone that is saving it now gets the
// answer to its own save instead. If nothing was typed, it goes back to the pad, which leads to the result
// once there is one; else it says so.
function shut(result) {
  if (isSaving()) return;
  if (board && isCounting() && !all('#count input').some(isChanged)) {
    history.back();
    return;
  }
  form().removeAttribute('data-new');
  tell({ kind: 'no', says: result ? '«scripts.over»' : '«scripts.changed»' });
  if (result) find('tell').firstElementChild.append(' ', Object.assign(document.createElement('a'), { className: 'link', href: result, textContent: '«scripts.result»' }));
  form().dataset.closed = '';
}

// Asks every 2 seconds whether other phones have saved hands of this round.
let hearing;
async function listen() {
  const mine = form();
  // Only a new round has news from other phones. Not during a save: its own entry would look like news.
  if (document.hidden || !isNew() || mine.hidden || hearing || isSaving()) return;
  hearing = true;
  const at = Date.now();
  try {
    const answer = await fetch(mine.getAttribute('action'), { headers: { 'HX-Request': 1, 'HX-PTag': mine.dataset.of ?? '' }, signal: AbortSignal.timeout?.(8000) });
    const text = answer.status === 200 && await answer.text();
    reach(isOurs(answer), at);
    // An answer about a round that this phone has left says nothing about the one that it shows now.
    if (!isOurs(answer) || form() !== mine || mine.hidden || isSaving()) return;
    const fresh = text && new DOMParser().parseFromString(text, 'text/html').getElementById('count');
    const result = answer.headers.get('HX-Redirect');
    if (result || answer.status === 404 || (fresh && !fresh.matches('[data-new]'))) shut(result);
    else if (fresh) {
      mine.dataset.of = answer.headers.get('HX-PTag');
      catchUp(fresh);
    }
  } catch {
    reach(false);
    tell();
  } finally {
    hearing = false;
  }
}
setInterval(listen, 2000);

// Some hands can be saved before the others, which are on other phones. If only the hand of this phone's
// player has been typed, that becomes the main button.
function offerPart() {
  const [part, save] = [find('part'), find('save')];
  const players = (some) => [...new Set(some.map(idOf))];
  const blank = players(fields().filter(isWanted));
  const open = players(all('.which').filter((each) => !each.querySelector(':checked')).map((each) => each.querySelector('input')));
  const chosen = players(all('.which :checked'));
  const mine = [...new Set([...players(fields().filter(({ name }) => /^(left|table)-/.test(name))), ...chosen])]
    .filter((player) => !blank.includes(player) && (baseOf(player).value === '0' || chosen.includes(player) || isTouched(player)));
  part.hidden = !isNew() || !mine.length || !blank.length || open.length > 0;
  part.type = part.hidden ? 'button' : 'submit';
  part.textContent = mine.length < 3 ? word('«count.save-part»', mine.map(called).join(', ')) : word('«count.save-parts»', mine.length);
  const isMain = !part.hidden && mine.length === 1 && partners(mine[0]).includes(form().dataset.own);
  part.className = isMain ? 'go' : 'tonal';
  save.className = isMain ? 'tonal' : 'go';
}

// A count that isn't saved yet survives a reload and the Back button.
const kept = () => `counted ${form().getAttribute('action')}`;
function keep() {
  if (!isNew()) return;
  const typed = all('#count input:not([type="hidden"])').filter((each) => each.id && isChanged(each)).map(({ id, value, checked }) => [id, value, checked]);
  const bases = Object.fromEntries(all('#count [name^="base-"]').map(({ name, value }) => [name, value]));
  try { sessionStorage.setItem(kept(), JSON.stringify([bases, typed, besides()])); } catch { /* as in `remember` */ }
}

// A hand gets back the base that it was typed over: if another phone has saved it since, a save asks.
function restore() {
  let was;
  try { was = isNew() && JSON.parse(sessionStorage.getItem(kept())); } catch { /* nothing is kept */ }
  const [bases, typed, ...more] = was || [{}, []];
  for (const [id, value, checked] of typed) {
    const input = find(id);
    if (!input) continue;
    put(input, { value, checked });
    const base = baseOf(idOf(input));
    if (base && base.value !== '0') base.value = bases[base.name] ?? base.value;
  }
  return more;
}

// Tapped while it's inactive, Save shows what is missing.
document.addEventListener('click', (event) => {
  const save = event.target.closest('#save, #sure');
  if (save?.ariaDisabled !== 'true') return;
  event.preventDefault();
  event.stopImmediatePropagation();
  showMissing();
}, true);
// A save that succeeded leads to another page.
document.addEventListener('htmx:before:response', ({ detail: { ctx } }) => {
  if (ctx.request.method !== 'POST' || !ctx.response.headers.has('HX-Redirect') || !form()) return;
  try { sessionStorage.removeItem(kept()); } catch { /* nothing is kept */ }
});

function arrive() {
  first = Object.fromEntries(all('#count input').map((each) => [keyOf(each), valueOf(each)]));
  if (form()) arrived(...restore());
}
