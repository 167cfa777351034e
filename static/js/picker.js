'use strict';
// Keys for cards. The field of each row is the only truth; it is drawn as cards as it changes.

const desk = document.getElementById('desk');
const record = document.getElementById('record');
const { notation } = desk.dataset;
const tiles = notation === 'TILES';
const rows = () => [...document.querySelectorAll('.slot')];
const fieldOf = (row) => row.querySelector('input');
const cardsOf = (row) => fieldOf(row).value.toUpperCase().split(/[\s,]+/).filter(Boolean);
let now;
let suit = '';
let rank = '';
let picked = -1;
let asking;

function make(tag, content, attributes = {}) {
  const element = document.createElement(tag);
  element.append(...content);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

// One card as it is written: what stands on it, its suit's letter, its suit's key on this page.
function face(card) {
  const whole = desk.querySelector(`[data-adds="${card}"]`);
  if (whole) return [whole.textContent];
  const plain = card.replace(/^T/, '10').replace(/[♠♥♦♣✦]/, (sign) => 'SHDCX'['♠♥♦♣✦'.indexOf(sign)]);
  const [, before, value, after] = /^([A-Z](?=\d))?(.+?)([A-Z])?$/.exec(plain);
  const letter = before ?? after;
  return [value, letter, document.getElementById(`suit-${letter}`)];
}

function button(card, place) {
  const [value, letter, key] = face(card);
  const words = [document.getElementById(`rank-${value}`)?.ariaLabel ?? value, key?.ariaLabel].filter(Boolean);
  const unsaid = { 'aria-hidden': true };
  return make('button', [
    make('span', [value], unsaid),
    letter ? make('i', [key?.dataset.sign ?? letter], unsaid) : '',
    make('span', [tiles ? words.reverse().join(' ') : words.join(' of ')], { class: 'vh' }),
  ], { type: 'button', class: 'card', 'data-place': place, 'data-suit': letter ?? '' });
}

function draw(row) {
  const fan = make('div', cardsOf(row).map(button), { class: 'fan' });
  row.querySelector('.fan')?.remove();
  row.querySelector('.tools')?.remove();
  fieldOf(row).after(fan);
  if (row !== now || picked < 0) return;
  fan.children[picked].ariaPressed = true;
  fan.after(make('div', [['‹', 'Move left', -1], ['›', 'Move right', 1], ['✕', 'Take away', 0]].map(([sign, says, by]) => (
    make('button', [sign], { type: 'button', class: 'tonal', 'data-by': by, 'aria-label': says })
  )), { class: 'tools' }));
  if (row.dataset.slot !== 'pile') return;
  fan.nextSibling.append(make('button', ['Take it'], {
    type: 'button', class: 'tonal', 'data-fill': 'take', 'data-text': cardsOf(row)[picked],
  }));
}

// Where melds are free in number there is always an empty row: the last is copied when it fills.
function grow(row) {
  const prefix = fieldOf(row).name.replace(/\d+$/, '');
  const kin = rows().filter((each) => each.dataset.free && fieldOf(each).name.startsWith(prefix));
  if (!kin.includes(row) || kin.some((each) => !cardsOf(each).length)) return;
  const name = prefix + (kin.length + 1);
  const last = kin[kin.length - 1];
  const copy = last.cloneNode(true);
  const label = copy.querySelector('label');
  copy.dataset.slot = label.htmlFor = name;
  label.textContent = label.textContent.replace(/\d+$/, kin.length + 1);
  copy.dataset.was = '';
  copy.toggleAttribute('data-now', false);
  Object.assign(fieldOf(copy), { id: name, name, value: '' });
  last.after(copy);
  draw(copy);
}

// What is on the table before a turn is there after it, too, until somebody moves it.
function mirror(row) {
  const { name, value } = fieldOf(row);
  const twin = name.startsWith('before') && document.getElementById(name.replace('before', 'after'));
  if (twin && twin.value === (row.dataset.was ?? '')) {
    twin.value = value;
    draw(twin.closest('.slot'));
    grow(twin.closest('.slot'));
  }
  row.dataset.was = value;
}

function changed(row) {
  row.querySelector('[role]')?.remove();
  draw(row);
  grow(row);
  mirror(row);
  clearTimeout(asking);
  asking = setTimeout(() => desk.dispatchEvent(new Event('ask')), 90);
}

function write(row, cards) {
  fieldOf(row).value = cards.join(' ');
  changed(row);
}

function turnTo(row) {
  const before = now;
  now = row;
  picked = -1;
  for (const each of rows()) each.toggleAttribute('data-now', each === row);
  if (before) draw(before);
  draw(row);
}

function add(card) {
  rank = '';
  picked = -1;
  write(now, [...cardsOf(now), card]);
}

// A rank that waits for its suit lights up, and the suits ask for it.
function addWhenWhole() {
  if (rank && (suit || notation === 'RANKS')) add(tiles ? suit + rank : rank + suit);
  document.getElementById('picker').classList.toggle('asks', Boolean(rank));
  for (const each of desk.querySelectorAll('[data-rank]')) each.ariaPressed = each.dataset.rank === rank;
}

// The picked card goes to a place in a row, its own or another.
function carry(row, place) {
  const from = cardsOf(now);
  const [card] = from.splice(picked, 1);
  picked = -1;
  write(now, from);
  turnTo(row);
  const to = cardsOf(row);
  to.splice(place, 0, card);
  write(row, to);
}

// A key below the picked card: one place left or right, or (0) away.
function use(by) {
  const row = now;
  if (by) {
    const place = Math.max(0, Math.min(cardsOf(row).length - 1, picked + by));
    carry(row, place);
    picked = place;
    draw(row);
    row.querySelector(`[data-by="${by}"]`).focus();
  } else {
    const away = picked;
    picked = -1;
    write(row, cardsOf(row).filter((_, place) => place !== away));
  }
}

function fill({ fill: name, text, own }) {
  const row = document.getElementById(name).closest('.slot');
  const mine = document.getElementById('own');
  if (mine) mine.checked = own !== undefined;
  turnTo(row);
  write(row, text.split(' '));
}

// What the referee said, brought to the wilds among the cards and to the key that records it.
function heed() {
  const ruling = document.getElementById('ruling');
  if (!ruling) return;
  for (const card of desk.querySelectorAll('.card[data-wild]')) {
    card.removeAttribute('data-wild');
    card.querySelector('small').remove();
  }
  for (const { dataset } of ruling.querySelectorAll('[data-stands]')) {
    document.querySelectorAll(`[data-slot="${dataset.stands}"] .card`).forEach((card, place) => {
      const stands = dataset[`w${place}`];
      if (!stands) return;
      card.setAttribute('data-wild', '');
      card.append(make('small', [`= ${stands}`]));
    });
  }
  if (record) record.hidden = record.disabled = ruling.dataset.record === undefined;
}

const ROW = '.slot input';
const PRESSED = '[data-rank], .suit, [data-back], .card[data-place], [data-by], [data-fill], [data-keep]';

document.addEventListener('mousedown', (event) => {
  if (event.target.closest('.picker, .tools')) event.preventDefault(); // the row keeps the focus
});
desk.addEventListener('click', (event) => {
  const target = event.target.closest(PRESSED);
  if (!target) return;
  const { dataset } = target;
  if (dataset.adds) {
    add(dataset.adds);
  } else if (target.matches('.suit')) {
    suit = dataset.suit;
    for (const each of desk.querySelectorAll('.suit')) each.ariaPressed = each === target;
    addWhenWhole();
  } else if (dataset.rank) {
    rank = dataset.rank;
    addWhenWhole();
  } else if (dataset.back !== undefined) {
    picked = -1;
    write(now, cardsOf(now).slice(0, -1));
  } else if (dataset.by) {
    use(Number(dataset.by));
  } else if (dataset.fill) {
    event.preventDefault();
    fill(dataset);
  } else if (dataset.keep !== undefined) {
    const rest = new URLSearchParams(new FormData(desk));
    for (const { name } of desk.querySelectorAll('[type="hidden"], [type="checkbox"]')) rest.delete(name);
    target.href += `&${rest}`;
  } else {
    const row = target.closest('.slot');
    const place = Number(dataset.place);
    if (row !== now && picked >= 0) {
      carry(row, place);
      return;
    }
    const again = picked === place;
    if (row !== now) turnTo(row);
    picked = again ? -1 : place;
    draw(row);
    heed();
  }
});
desk.addEventListener('focusin', ({ target }) => {
  const row = target.closest('.slot');
  if (!target.matches(ROW) || row === now) return;
  if (picked >= 0) carry(row, cardsOf(row).length);
  else turnTo(row);
});
desk.addEventListener('input', ({ target }) => {
  if (target.matches(ROW)) changed(target.closest('.slot'));
});
desk.addEventListener('change', ({ target }) => {
  if (target.matches('[type="checkbox"], select')) desk.dispatchEvent(new Event('ask'));
});
document.addEventListener('htmx:after:swap', heed);

document.getElementById('picker').removeAttribute('data-wait');
document.getElementById('ask')?.toggleAttribute('hidden', true);
for (const row of rows()) {
  fieldOf(row).inputMode = 'none';
  row.dataset.was = fieldOf(row).value;
  draw(row);
}
turnTo(document.querySelector('.slot[data-now]'));
heed();
