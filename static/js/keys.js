'use strict';
// What all keys do, for a count and for the referee: the box that is typed in keeps the focus, and a
// rank and a suit make a card, whichever is tapped first.

const find = (id) => document.getElementById(id);
const all = (what) => [...document.querySelectorAll(what)];

// The rank that was tapped and has no suit yet; a suit stays chosen for the next card.
let rank = '';

// Enables the keys, and keeps the phone's own keyboard from coming up over them.
function wake(fields) {
  for (const each of all('[data-wait]')) each.removeAttribute('data-wait');
  for (const field of fields) field.inputMode = 'none';
}
document.addEventListener('mousedown', (event) => {
  if (event.target.closest('.keys, .picker, .tools')) event.preventDefault();
});

function withSuit(picker, face) {
  const suit = picker.querySelector('.suit[aria-pressed="true"]')?.dataset.suit ?? '';
  return picker.matches('.tiled') ? suit + face : face + suit;
}

// Returns the card that a tap on a key completes; nothing if it still needs a suit or a rank.
function cardOf(key) {
  const picker = key.closest('.picker');
  const suits = [...picker.querySelectorAll('.suit')];
  let card = key.dataset.adds;
  if (!card) {
    if (key.matches('.suit')) for (const each of suits) each.ariaPressed = each === key;
    else rank = key.dataset.rank;
    card = rank && (!suits.length || suits.some((each) => each.ariaPressed === 'true')) && withSuit(picker, rank);
  }
  if (card) rank = '';
  picker.classList.toggle('waits', Boolean(rank));
  for (const each of picker.querySelectorAll('[data-rank]')) each.ariaPressed = each.dataset.rank === rank;
  return card;
}
