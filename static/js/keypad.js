'use strict';
// Keys for counting. The field of each hand is the only truth; keys write into it, as a keyboard does.

const find = (id) => document.getElementById(id);
const hands = () => [...document.querySelectorAll('.hand')];
const fieldOf = (hand) => hand.querySelector('.num input');
const outOf = (hand) => hand.querySelector('[name="out"]');
const isBlank = (hand) => !fieldOf(hand).value.trim() && !outOf(hand).checked;
let now;
let lastOut;

function terms(field) {
  return field.value.split('+').map((term) => term.trim()).filter(Boolean);
}

function show(hand) {
  const field = fieldOf(hand);
  const sum = terms(field).reduce((total, term) => total + Number(term), 0);
  hand.querySelector('output').textContent = field.value.includes('+') && !Number.isNaN(sum) ? sum : '';
  field.placeholder = outOf(hand).checked ? '0' : '–';
  field.scrollLeft = field.scrollWidth;
  if (hand !== now) return;
  for (const key of document.querySelectorAll('[data-card]')) {
    key.querySelector('i')?.remove();
    const held = terms(field).filter((term) => term === key.dataset.card).length;
    if (held) key.append(Object.assign(document.createElement('i'), { textContent: held }));
  }
}

function turnTo(hand, { focus = true } = {}) {
  now = hand;
  for (const each of hands()) each.toggleAttribute('data-now', each === now);
  if (!hand) return;
  show(hand);
  find('sum-says').textContent = `${hand.querySelector('label').textContent}: tap each card that is left.`;
  if (focus && document.activeElement !== fieldOf(hand)) fieldOf(hand).focus({ preventScroll: true });
  if (focus) hand.scrollIntoView({ block: 'nearest' });
}

function next() {
  const all = hands();
  const after = all.indexOf(now) + 1;
  const blank = [...all.slice(after), ...all.slice(0, after)].find(isBlank);
  if (blank) turnTo(blank);
  else find('review').focus();
  return Boolean(blank);
}

function write(text) {
  if (!now) return;
  fieldOf(now).value = text;
  if (text && outOf(now).checked) {
    outOf(now).checked = false;
    lastOut = null;
  }
  show(now);
}

function press(key) {
  const text = now ? fieldOf(now).value : '';
  const taps = find('digits').hidden;
  if (key === 'next') next();
  else if (key === 'mode') setMode(taps ? 'digits' : 'cards');
  else if (key === 'back') write(taps ? text.replace(/\+?[^+]*$/, '') : text.slice(0, -1));
  else if (key !== '+' || /\d$/.test(text)) write(text + key);
}

function setMode(mode) {
  find('digits').hidden = mode === 'cards';
  find('cards').hidden = find('sum-says').hidden = mode !== 'cards';
  remember('keys', mode);
}

function out(radio) {
  const hand = radio.closest('.hand');
  if (radio === lastOut) { // a second tap takes it back
    radio.checked = false;
    lastOut = null;
    turnTo(hand);
    return;
  }
  lastOut = radio;
  fieldOf(hand).value = '';
  const made = hand.querySelector('[type="checkbox"]');
  if (made) made.checked = true;
  hands().forEach(show);
  if (now && isBlank(now)) turnTo(now);
  else next();
}

function start() {
  if (!find('digits')) return;
  for (const hand of hands()) {
    fieldOf(hand).inputMode = 'none';
    show(hand);
  }
  lastOut = document.querySelector('[name="out"]:checked');
  setMode(recall('keys') === 'cards' ? 'cards' : 'digits');
  const wrong = hands().find((hand) => hand.querySelector('[role="alert"]'));
  turnTo(wrong ?? hands().find(isBlank), { focus: false });
}

document.addEventListener('mousedown', (event) => {
  if (event.target.closest('.keys')) event.preventDefault(); // the field keeps the focus
});
document.addEventListener('click', ({ target }) => {
  const key = target.closest('.keys .key');
  if (key?.dataset.key) press(key.dataset.key);
  else if (key && now) write([...terms(fieldOf(now)), key.dataset.card].join('+'));
  else if (target.matches('[name="out"]')) out(target);
});
document.addEventListener('focusin', ({ target }) => {
  if (target.matches('.num input') && target.closest('.hand') !== now) turnTo(target.closest('.hand'));
});
document.addEventListener('input', ({ target }) => {
  if (target.matches('.num input')) write(target.value);
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && event.target.matches('.num input') && next()) event.preventDefault();
});
document.addEventListener('htmx:after:swap', start);
start();
