'use strict';
// The draft of a round: what is typed on one phone shows on all of them, and outlives a reload. What a
// page counts with is its own: `apply`, `tell`, `handOf` and `showMissing`.

const find = (id) => document.getElementById(id);
const all = (what) => [...document.querySelectorAll(what)];
const idOf = (field) => field.name.split('-')[1];
const signed = (number) => String(number).replace('-', '−');
const isCards = (text) => /[a-z♠♥♦♣]/i.test(text);
const terms = (field) => field.value.toUpperCase().replace(/[−-]/g, '+-').split(/[+\s,]+/).filter(Boolean);
let judging;
let seenTag = '';
// The players whose hands are in, but not yet in the draft.
const entered = new Set();
// And those whose hands other phones know to be typed here.
const typing = new Set();

const form = () => find('count');
const isNew = () => form()?.matches('[data-new]');

// One line says how the count stands; what only the server can know comes with the draft, and holds
// until something else is typed.
let known = [];

const snapshot = () => JSON.stringify(all('#count input:not([type="hidden"])').map(({ value, checked }) => [value, checked]));

// What it says, with what is asked in front.
function spell(line, says, asks = '') {
  const first = Object.assign(document.createElement('b'), { textContent: asks });
  line.firstElementChild.replaceChildren(...asks ? [first, ` ${says}`] : [says]);
}

// A box that something speaks against shows so before anybody saves, and one that can't be read.
function mark({ odd = [], wrong = [] }) {
  for (const [how, ids] of [['odd', odd], ['no', wrong]]) {
    for (const each of all(`#count [data-${how}]`)) delete each.dataset[how];
    for (const id of ids) if (find(id)) boxOf(find(id)).dataset[how] = '';
  }
}
const boxOf = (field) => field.closest('.num, .step, .chip, .nobody') ?? field;

// The sheet that asks goes, and the very box that a button names is the one to be changed.
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

// While it asks, the row that it asks about stays in sight, above the sheet that slides in.
function lightUp() {
  const row = find(find('asks')?.dataset.at)?.closest('.hand, tr, #close-how');
  if (!row) return;
  row.dataset.asked = '';
  row.scrollIntoView({ block: 'center' });
  const gap = row.getBoundingClientRect().bottom + 8 - (innerHeight - find('asks').offsetHeight);
  const body = row.closest('.body');
  if (gap > 0) body.scrollTop += gap;
}

// The round is saved: a phone that is saving it itself hears so from what it sent.
function shut() {
  if (saving) return;
  if (board && isCounting() && !typing.size && !entered.size) {
    history.back();
    return;
  }
  form().removeAttribute('data-new');
  tell({ kind: 'no', says: '«scripts.changed»' });
  form().dataset.closed = '';
}

let sharing;
let shares = 0;
// From here on the draft is gone, and another phone has nothing to do with it.
let saving;

// An answer about a round that this phone has left says nothing of the one that it shows now.
const isAbout = (url) => form()?.dataset.draft === url;

// Puts the hands that are in into the draft of the round, or asks what is in it. One at a time.
async function share() {
  if (!form() || 'closed' in form().dataset || saving || sharing) {
    sharing &&= 'again';
    return;
  }
  sharing = 'once';
  shares += 1;
  const url = form().dataset.draft;
  const body = new URLSearchParams(new FormData(form()));
  const typed = snapshot();
  // A hand of two numbers is in with the first and typed again with the second: it is not in yet.
  const told = [...entered].filter((each) => !typing.has(each)).map((each) => [each, handOf(each)]);
  if (isNew()) for (const [each] of told) body.append('in', each);
  const [at] = typing;
  if (at && isNew()) body.append('typing', at);
  const asked = Date.now();
  try {
    const answer = await fetch(url, { method: 'POST', headers: { 'HX-Request': 1 }, body, signal: AbortSignal.timeout?.(8000) });
    reach(answer.status < 500, asked);
    const state = answer.ok && await answer.json();
    const isHere = isAbout(url);
    if (isHere && state) {
      // A hand that was changed since it was sent is not in yet.
      for (const [each, was] of told) if (was === handOf(each)) entered.delete(each);
      if (isNew()) apply(state);
      // What has been typed meanwhile is judged by the next answer.
      if (typed === snapshot()) tell(state.judged);
    } else if (isHere && /40[49]/.test(answer.status)) shut();
  } catch {
    reach(false);
    tell();
  }
  const again = sharing === 'again';
  sharing = null;
  if (again) share();
}

async function listen() {
  if (document.hidden || !isNew() || saving || sharing) return;
  if (entered.size) {
    share();
    return;
  }
  if (form().hidden) return;
  const before = shares;
  const asked = Date.now();
  const url = form().dataset.draft;
  try {
    const answer = await fetch(url, { headers: { 'HX-PTag': seenTag }, signal: AbortSignal.timeout?.(8000) });
    reach(answer.status < 500, asked);
    const state = answer.status === 200 && await answer.json();
    // The game is over: another phone has saved its last round.
    if (isAbout(url) && /40[49]/.test(answer.status)) shut();
    // What was asked before this phone shared a hand knows nothing of it.
    if (!state || shares !== before || !isAbout(url)) return;
    apply(state);
    share();
  } catch {
    reach(false);
  }
}
setInterval(listen, 2000);

// A count that is not saved yet outlives a reload and the Back button, until its hands change.
const kept = () => `count ${form().getAttribute('action')}`;
let first = {};
const bases = () => all('[name^="base"]').map((field) => field.value).join();

// Tapped while it is quiet, it shows what is missing.
document.addEventListener('click', (event) => {
  const save = event.target.closest('#save, #sure');
  if (!save) return;
  // Whoever saves is done typing.
  if (save.ariaDisabled !== 'true') {
    for (const each of typing) entered.add(each);
    typing.clear();
    saving = true;
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
  showMissing();
}, true);
// A save that went well leads elsewhere; after one that was refused in a sentence, nothing has changed here.
document.addEventListener('htmx:before:response', ({ detail: { ctx } }) => {
  const { headers } = ctx.response;
  if (headers.has('HX-Retarget')) saving = false;
  if (!headers.has('HX-Redirect')) return;
  try { sessionStorage.removeItem(kept()); } catch { /* nothing is kept */ }
});
