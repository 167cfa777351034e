// One keypad for every count. One box is in hand; its number is selected, digits go into it by thumb or
// keyboard, and Next goes on from it. What a kind of page has besides is its own: `fields` and `inOrder`,
// `isWanted` and `isOpen`, `keysFor` and `pressed`, `clicked`, `bring`, `draw` and `write`.

let now;

// Coming to a box selects its number: the first digit replaces it, Delete empties it, + goes on from it.
function pick(field) {
  for (const each of all('[data-pen]')) each.removeAttribute('data-pen');
  if (!field?.value || isCards(field.value)) return;
  field.dataset.pen = '';
  // Selecting takes the focus, which the sheet has while it asks.
  if (!find('asks')) field.select();
}

function setMode(mode) {
  remember('keys', mode);
  for (const id of ['digits', 'cards', 'melds']) if (find(id)) find(id).hidden = !now || keysFor(now, mode) !== id;
  draw();
}

function turnTo(field, { focus = true, row = field?.closest('.hand, tr, #close-how') } = {}) {
  now = field;
  if (now) bring(now);
  for (const each of all('#count [data-now]')) each.toggleAttribute('data-now', each === row);
  row?.toggleAttribute('data-now', true);
  for (const each of fields()) each.toggleAttribute('data-here', each === now);
  pick(now);
  setMode(recall('keys') ?? 'digits');
  if (!focus || !row) return;
  if (now && document.activeElement !== now) now.focus({ preventScroll: true });
  (now?.id === 'shown' ? now : row).scrollIntoView({ block: 'nearest' });
}

// With a mouse there is a keyboard: the first box has its caret at once.
const hasKeyboard = () => matchMedia('(hover: hover) and (pointer: fine)').matches;
const isMissing = () => inOrder().some(isWanted);

// The next empty box, else the next odd one, else simply the next: it is never dead, and never saves.
function next() {
  const order = inOrder();
  const place = order.indexOf(now) + 1;
  const ring = [...order.slice(place), ...order.slice(0, place)];
  const odd = (field) => field !== now && boxOf(field).matches('[data-odd]');
  turnTo(ring.find(isOpen) ?? ring.find(odd) ?? ring[0]);
}

function typeIn(name) {
  const text = now?.value ?? '';
  const isPicked = now?.matches('[data-pen]');
  if (name === 'minus') write(now, text.startsWith('-') ? text.slice(1) : `-${text}`);
  else if (name === 'back') {
    const whole = find('digits').hidden || isCards(text);
    const shorter = whole ? text.replace(/[+\s,]*[^+\s,]*[\s,]*$/, '') : text.slice(0, -1);
    write(now, isPicked ? '' : shorter, whole);
  } else {
    const before = isCards(text) || (name !== '+' && isPicked) ? '' : text;
    if (name !== '+' || /\d$/.test(before)) write(now, before + name);
  }
}

function press(key) {
  const { key: name } = key.dataset;
  if (name === 'next') next();
  else if (name === 'mode') setMode(find('digits').hidden ? 'digits' : 'cards');
  else if (!pressed(key) && name) typeIn(name);
}

function typed() {
  if (!form()) return;
  keep();
  tell();
}

document.addEventListener('mousedown', (event) => {
  // The box keeps the focus.
  if (event.target.closest('.keys, .picker')) event.preventDefault();
});
document.addEventListener('click', ({ target }) => {
  if (!target.closest('#count')) return;
  const key = target.closest('.key, .suit');
  if (target.id === 'show-keys') showKeys();
  else if (key) press(key);
  else if (target.matches('.num input')) pick(target);
  else clicked(target);
  typed();
});
document.addEventListener('focusin', ({ target }) => {
  if (target.matches('#count .num input') && target !== now) turnTo(target);
});
document.addEventListener('input', ({ target }) => {
  if (!target.closest('#count')) return;
  if (target.matches('.num input')) write(target, target.value);
  typed();
});

// Beside a keyboard the keys step back, until somebody touches the screen or wants them.
const showKeys = () => find('tell')?.parentElement.toggleAttribute('data-keys', true);
document.addEventListener('touchstart', showKeys, { passive: true });

// A keyboard works at once, wherever the focus is: digits go to the box in hand.
const MOVES = { ArrowUp: -1, ArrowDown: 1 };
document.addEventListener('keydown', (event) => {
  const { key, target } = event;
  if (!form() || form().hidden || find('asks') || event.ctrlKey || event.metaKey || event.altKey) return;
  const isBox = target.matches('.num input');
  // Whatever else has the focus has keys of its own.
  if (!isBox && (!inOrder().length || target.matches('input:not([name="out"], [name^="made"]), select, summary, textarea'))) return;
  if (key === 'Enter' && (isBox || target === document.body)) {
    event.preventDefault();
    if (isMissing()) next();
    else find('save').click();
  // Arrows on an Out go to the next Out, as in every group of radio buttons.
  } else if (key in MOVES && (isBox || !target.matches('input'))) {
    event.preventDefault();
    const order = inOrder();
    turnTo(order[(order.indexOf(now) + MOVES[key] + order.length) % order.length]);
  } else if (key === '+' && now && !isCards(now.value) && (!isBox || now.matches('[data-pen]') || !/\d$/.test(now.value))) {
    event.preventDefault();
    now.focus({ preventScroll: true });
    typeIn('+');
    typed();
  } else if (key.toLowerCase() === 'o' && !find('picker') && now && outOf(now)) {
    event.preventDefault();
    outOf(now).click();
  } else if (!isBox && /^([\d+-]|Backspace)$/.test(key)) {
    // It is typed by the browser then, over the number that is selected.
    if (now) now.focus({ preventScroll: true });
    else next();
    pick(now);
  }
});
