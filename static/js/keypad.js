'use strict';
// Keys for counting. The fields are the only truth; keys write into them, as a keyboard does.

const find = (id) => document.getElementById(id);
const all = (what) => [...document.querySelectorAll(what)];
const fields = () => all('.num input');
const rowOf = (field) => field.closest('.hand, #close-how');
const outOf = (field) => rowOf(field).querySelector('[name="out"]');
const isLeft = (field) => field.name.startsWith('left');
const isTable = (field) => field.name.startsWith('table');
const isWanted = (field) => isLeft(field) && !field.value.trim() && !outOf(field).checked;
const isOpen = (field) => isWanted(field) || (isTable(field) && !field.value);
const isCards = (text) => /[a-z♠♥♦♣]/i.test(text);
const terms = (field) => field.value.toUpperCase().split(/[+\s,]+/).filter(Boolean);
let now;
let lastOut;
let replaced = [];
let suit = '';
let rank = '';
let asking;

// Taps of one key in all hands: the packs hold no more of a card because two people have it.
function taps(card) {
  return fields()
    .filter((field) => !isTable(field) && (isCards(card) || (field.dataset.tapped ?? field.value.includes('+'))))
    .flatMap(terms).filter((term) => term === card).length;
}

function isGone(key) {
  const { card, copies, rank: face } = key.dataset;
  const { each, jokers } = find('cards').dataset;
  if (card) return taps(card) >= copies;
  if (key.id === 'joker') return taps('JK') >= jokers;
  return Boolean(face && suit) && taps(face + suit) >= each;
}

function dim() {
  for (const key of all('[data-card], [data-rank], #joker')) {
    key.ariaDisabled = isGone(key);
    key.querySelector('i')?.remove();
    const held = key.dataset.card && now ? terms(now).filter((term) => term === key.dataset.card).length : 0;
    if (held) key.append(Object.assign(document.createElement('i'), { textContent: held }));
  }
}

function show(field) {
  const sum = terms(field).reduce((total, term) => total + Number(term), 0);
  const output = field.parentElement.querySelector('output');
  if (output && !isCards(field.value)) output.textContent = field.value.includes('+') && !Number.isNaN(sum) ? sum : '';
  if (isLeft(field)) field.placeholder = outOf(field).checked ? '0' : '–';
  field.scrollLeft = field.scrollWidth;
}

function hint(text = '') {
  const says = find('sum-says');
  says.textContent = text || (now && `${now.dataset.says ?? now.labels[0].textContent}: tap each ${says.dataset.each}.`);
}

function setMode(mode) {
  remember('keys', mode);
  const cards = mode === 'cards' || now?.id === 'shown';
  find('digits').hidden = cards || !now;
  find('cards').hidden = find('sum-says').hidden = !cards || !now;
}

function turnTo(field, { focus = true, row = field && rowOf(field) } = {}) {
  now = field;
  for (const each of all('.hand, #close-how')) each.toggleAttribute('data-now', each === row);
  for (const each of fields()) each.toggleAttribute('data-here', each === now);
  pick(now);
  setMode(recall('keys') ?? 'digits');
  hint();
  dim();
  if (!focus || !row) return;
  if (now && document.activeElement !== now) now.focus({ preventScroll: true });
  (now?.id === 'shown' ? now : row).scrollIntoView({ block: 'nearest' });
}

// A number that was there when somebody turned to its hand is selected: the first digit replaces it.
function pick(field) {
  for (const each of all('[data-pen]')) each.removeAttribute('data-pen');
  if (!field?.value || isCards(field.value)) return;
  field.dataset.pen = '';
  field.select();
}

// What is on the table may stay empty, and is passed once; a hand may not.
function next() {
  const order = fields();
  const after = order.indexOf(now) + 1;
  const blank = order.slice(after).find(isOpen) ?? order.slice(0, after).find(isWanted);
  if (blank) turnTo(blank);
  else find('review').focus();
  return Boolean(blank);
}

// Cards that were tapped, or are gone, are laid out again.
function deal(field) {
  const dealt = rowOf(field)?.querySelector('.dealt');
  if (dealt && (isCards(field.value) || dealt.firstElementChild)) dealt.dispatchEvent(new Event('deal'));
}

// What was wrong with a hand is forgotten once it is changed.
function forgive(field) {
  rowOf(field).querySelector('[role="alert"]')?.remove();
  field.ariaInvalid = null;
}

function write(field, text, tapped = false) {
  if (!field) return;
  field.value = text;
  delete field.dataset.pen;
  if (tapped && text) field.dataset.tapped = '1';
  else delete field.dataset.tapped;
  if (text && isLeft(field) && outOf(field).checked && !field.form.dataset.knock) {
    outOf(field).checked = false;
    lastOut = null;
    putBack(field);
  }
  forgive(field);
  show(field);
  hint();
  dim();
  clearTimeout(asking);
  asking = setTimeout(deal, 120, field);
}

function add(key) {
  if (isGone(key)) {
    hint('No more of these');
    return;
  }
  const { card } = key.dataset;
  const named = key.id === 'joker' ? 'JK' : rank + suit;
  const kin = terms(now).filter((term) => isCards(term) === !card);
  rank = '';
  write(now, [...kin, card ?? named].join(card ? '+' : ' '), true);
}

function press(key) {
  const { key: name, rank: face } = key.dataset;
  const text = now?.value ?? '';
  if (key.textContent === 'Review') find('review').click();
  else if (name === 'next') next();
  else if (name === 'mode') {
    setMode(find('digits').hidden ? 'digits' : 'cards');
    hint();
  } else if (name === 'back' || key.id === 'take-back') {
    const whole = find('digits').hidden || isCards(text);
    const shorter = whole ? text.replace(/[+\s]*[^+\s]*\s*$/, '') : text.slice(0, -1);
    write(now, now?.matches('[data-pen]') ? '' : shorter, whole);
  } else if (name) {
    const digits = isCards(text) || (name !== '+' && now?.matches('[data-pen]')) ? '' : text;
    if (name !== '+' || /\d$/.test(digits)) write(now, digits + name);
  } else if (key.matches('.suit') && key.id !== 'joker') {
    suit = key.dataset.suit;
    for (const each of all('.suit')) each.ariaPressed = each === key;
    dim();
    if (rank) add(find(`rank-${rank}`));
  } else if (face) {
    rank = face;
    if (suit) add(key);
  } else if (now) add(key);
}

// Once all is filled in, what would be saved is said below the rows, and Save takes Review's place,
// which takes that of Next.
function weigh() {
  const words = find('dealt-words');
  const typed = words && String(new URLSearchParams(new FormData(words.closest('form'))));
  if (!words || typed === words.weighed) return;
  words.weighed = typed;
  words.textContent = '';
  const hands = fields().filter(isLeft);
  const [first, ...more] = hands.filter((field) => !isWanted(field));
  const only = find('only');
  only.hidden = !first || more.length || outOf(first).checked;
  if (first) Object.assign(only, { value: outOf(first).value, textContent: `Save ${first.labels[0].textContent} only` });
  const blank = hands.some(isWanted);
  for (const key of all('[data-key="next"]')) key.textContent = blank ? 'Next' : 'Review';
  if (!blank) words.dispatchEvent(new Event('weigh'));
}

// What an Out that is taken back has replaced in its hand; but not what is written there now.
function putBack(written) {
  for (const [id, value, checked] of replaced) {
    const field = find(id);
    if (!field || field === written) continue;
    Object.assign(field, { value, checked });
    deal(field);
  }
  replaced = [];
}

function out(radio) {
  const hand = radio.closest('.hand');
  const own = [...hand.querySelectorAll('.num input')];
  const left = own.find(isLeft);
  putBack();
  if (radio === lastOut) { // a second tap takes it back
    radio.checked = false;
    lastOut = null;
  } else {
    lastOut = radio;
    const made = hand.querySelector('[name^="made"]');
    replaced = [left, made].filter(Boolean).map(({ id, value, checked }) => [id, value, checked]);
    if (left) {
      left.value = '';
      forgive(left);
      deal(left);
    }
    if (made) made.checked = true;
  }
  fields().forEach(show);
  const how = find('close-how');
  if (how && radio.checked && !how.querySelector(':checked')) turnTo(null, { row: how });
  else if (left && !radio.checked) turnTo(left);
  else if (now && !now.value && !(isLeft(now) && outOf(now).checked)) turnTo(now);
  else next();
}

// A count that is not saved yet outlives a reload and the Back button, until its hands change.
const kept = `count ${location.pathname}${location.search}`;
const first = Object.fromEntries(all('#count input').map(({ id, value, checked }) => [id, value + checked]));
const bases = () => all('[name^="base"]').map((field) => field.value).join();

function keep() {
  const typed = all('#count[data-new] input:not([type="hidden"])')
    .map(({ id, value, checked }) => [id, value, checked])
    .filter(([id, value, checked]) => first[id] !== value + checked);
  try { if (find('digits')) sessionStorage.setItem(kept, JSON.stringify([bases(), typed, replaced])); } catch { /* as in `remember` */ }
}

function restore() {
  let was;
  try { was = JSON.parse(sessionStorage.getItem(kept)); } catch { /* nothing is kept */ }
  if (was?.[0] !== bases()) return;
  for (const [id, value, checked] of was[1]) Object.assign(find(id) ?? {}, { value, checked });
  replaced = was[2] ?? [];
}

function start() {
  if (!find('digits')) return;
  for (const each of all('[data-wait]')) each.removeAttribute('data-wait');
  for (const field of fields()) {
    field.inputMode = 'none';
    show(field);
  }
  lastOut = document.querySelector('[name="out"]:checked');
  const wrong = document.querySelector('[role="alert"]')?.closest('.hand, #close-how');
  const open = fields().find(isOpen);
  document.querySelector('#count :is([role="alert"], .banner)')?.scrollIntoView({ block: 'nearest' });
  turnTo(wrong?.querySelector('.num input') ?? open ?? fields().find((field) => field.value), { focus: false });
  weigh();
}

document.addEventListener('mousedown', (event) => {
  if (event.target.closest('.keys, .picker')) event.preventDefault(); // the field keeps the focus
});
document.addEventListener('click', ({ target }) => {
  const key = target.closest('.key, .suit');
  if (key) press(key);
  else if (target.matches('[name="out"]')) out(target);
  else if (target.matches('[name="close"]')) next();
  keep();
  weigh();
});
document.addEventListener('focusin', ({ target }) => {
  if (target.matches('.num input') && target !== now) turnTo(target);
});
document.addEventListener('input', ({ target }) => {
  if (target.matches('.num input')) write(target, target.value);
  keep();
  weigh();
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && event.target.matches('.num input') && next()) event.preventDefault();
});
// A save that went well leads elsewhere.
document.addEventListener('htmx:before:response', ({ detail: { ctx } }) => {
  if (!ctx.response.headers.get('HX-Redirect')) return;
  try { sessionStorage.removeItem(kept); } catch { /* nothing is kept */ }
});
document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
  const { id } = ctx.target;
  if (!id) return; // Only something was said.
  const dealt = id.startsWith('dealt') && find(id);
  if (dealt?.id === 'dealt-words') {
    if (fields().some(isWanted)) dealt.textContent = '';
  } else if (!dealt) start();
  else if (dealt.dataset.close) find(`close-${dealt.dataset.close}`).checked = true;
  else if (dealt.dataset.points) rowOf(dealt).querySelector('output').textContent = dealt.dataset.points;
});
restore();
start();
