// Cards for the referee, in rows. Each row has a text field with its cards, which is drawn as cards whenever
// it changes. Everything is in these fields and nowhere else.

const desk = find('desk');
const record = find('record');
const { notation } = desk.dataset;
const tiles = notation === 'TILES';
const rows = () => all('.slot');
const fieldOf = (row) => row.querySelector('input');
const cardsOf = (row) => fieldOf(row).value.toUpperCase().split(/[\s,]+/).filter(Boolean);
let now;
let picked = -1;
let asking;
// The row that somebody has chosen: the next cards go into it, even if its meld is finished.
let stay;
// Cards that were tapped while the server still checks whether the row is finished.
let queue = [];

function make(tag, content, attributes = {}) {
  const element = document.createElement(tag);
  element.append(...content);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

const [SIGNS, LETTERS] = ['♠♥♦♣✦', 'SHDCX'];

// Returns what is drawn on a card, the letter of its suit, and the key of that suit on this page.
function face(card) {
  const whole = desk.querySelector(`[data-adds="${card}"]`);
  if (whole) return [whole.firstChild.textContent, whole.dataset.suit, whole];
  const plain = card.replace(/^T/, '10').replace(/[♠♥♦♣✦]/, (sign) => LETTERS[SIGNS.indexOf(sign)]);
  const [, before, value, after] = /^([A-Z](?=\d))?(.+?)([A-Z])?$/.exec(plain);
  const letter = before ?? after;
  return [value, letter, find(`suit-${letter}`)];
}

function button(card, place) {
  const [value, letter, key] = face(card);
  const words = [key?.dataset.adds ? '' : find(`rank-${value}`)?.ariaLabel ?? value, key?.ariaLabel].filter(Boolean);
  const unsaid = { 'aria-hidden': true };
  return make('button', [
    make('span', [value], unsaid),
    letter ? make('i', [key?.dataset.sign ?? SIGNS[LETTERS.indexOf(letter)]], unsaid) : '',
    make('span', [tiles ? words.join(' ').replace(/(\S+) (.+)/, '«desk.tile»') : words.join(' «desk.of» ')], { class: 'vh' }),
  ], { type: 'button', class: 'card', 'data-place': place, 'data-suit': letter ?? '' });
}

// Draws a hand with a line for each suit, and shows how many cards it has, or still needs.
const held = find('held');
function sortOut(fan, cards) {
  const lines = {};
  for (const card of cards) (lines[card.dataset.suit] ??= []).push(card);
  const to = held.dataset.dealt - cards.length;
  const count = to > 0 ? to : cards.length;
  const { one, many } = held.dataset;
  const says = to > 0 ? '«advice.more»' : count === 1 ? one : many;
  held.querySelector('b').textContent = says.replace('#', count);
  held.firstElementChild.textContent = to > 0 || !count ? '…' : '✓';
  if (!cards.length || notation === 'RANKS') return;
  fan.replaceChildren(...Object.entries(lines).flatMap(([letter, line]) => [
    ...(tiles ? [] : [make('b', [find(`suit-${letter}`)?.dataset.sign ?? '★'], { 'data-suit': letter, 'aria-hidden': true })]),
    make('div', line, { class: 'fan' }),
  ]));
  fan.classList.add('by-suit');
}

function draw(row) {
  const cards = cardsOf(row).map(button);
  const fan = make('div', cards, { class: 'fan' });
  const { gaps = 0, before = -1, bad = -1 } = isKnown(row) ? row.dataset : {};
  cards[bad]?.setAttribute('data-bad', '');
  if (held && row.dataset.slot === 'hand') sortOut(fan, cards);
  for (let gap = 0; gap < gaps; gap += 1) {
    fan.insertBefore(make('span', [], { class: gap || row !== now ? 'gap later' : 'gap' }), cards[before] ?? null);
  }
  row.querySelector('.fan')?.remove();
  row.querySelector('.tools')?.remove();
  fieldOf(row).after(fan);
  if (row !== now || picked < 0) return;
  cards[picked].ariaPressed = true;
  const ways = [['‹', '«desk.left»', -1], ['›', '«desk.right»', 1], ['✕', '«desk.away»', 0]];
  fan.after(make('div', ways.slice(row.dataset.slot === 'hand' ? 2 : 0).map(([sign, says, by]) => (
    make('button', [sign], { type: 'button', class: 'tonal', 'data-by': by, 'aria-label': says })
  )), { class: 'tools' }));
  if (row.dataset.slot !== 'pile' || !find('take')) return;
  fan.nextSibling.append(make('button', ['«desk.take-it»'], {
    type: 'button', class: 'tonal', 'data-fill': 'take', 'data-text': cardsOf(row)[picked],
  }));
}

const rowName = (row) => row.dataset.kind ??= row.querySelector('label span').textContent.replace(/ \d+$/, '');

// If there can be any number of melds, there is always an empty row: when all have cards, the last is copied.
function grow(row) {
  const prefix = fieldOf(row).name.replace(/\d+$/, '');
  const kin = rows().filter((each) => each.dataset.free && fieldOf(each).name.startsWith(prefix));
  if (!kin.includes(row) || kin.some((each) => !cardsOf(each).length)) return;
  const last = kin[kin.length - 1];
  const number = kin.length + 1;
  // What is added to a meld of the team has its row below it.
  const adds = prefix === 'own-' && find(`add-${kin.length}`)?.closest('.slot');
  const copy = copyOf(last, prefix + number, `${rowName(last)} ${number}`);
  (adds || last).after(copy);
  draw(copy);
  if (!adds) return;
  const more = copyOf(adds, `add-${number}`, rowName(adds));
  copy.after(more);
  draw(more);
}

function copyOf(row, name, says) {
  const copy = row.cloneNode(true);
  const label = copy.querySelector('label');
  copy.dataset.slot = label.htmlFor = name;
  label.firstElementChild.textContent = says;
  copy.dataset.was = copy.dataset.mark = copy.dataset.text = copy.querySelector('label small').textContent = '';
  copy.dataset.gaps = 0;
  copy.toggleAttribute('data-now', false);
  Object.assign(fieldOf(copy), { id: name, name, value: '' });
  return copy;
}

// Copies a row of the table before a turn into its row after the turn, unless somebody has changed that.
function mirror(row) {
  const { name, value } = fieldOf(row);
  const twin = name.startsWith('before') && find(name.replace('before', 'after'));
  if (twin && twin.value === (row.dataset.was ?? '')) {
    twin.value = value;
    draw(twin.closest('.slot'));
    grow(twin.closest('.slot'));
  }
  row.dataset.was = value;
}

const typing = find('typing');
const ask = () => desk.dispatchEvent(new Event('ask'));
const isKnown = (row) => row.dataset.text === fieldOf(row).value;
const isDone = (row) => row.dataset.mark === 'yes' && isKnown(row);
const mayBeDone = (row) => Boolean(row.dataset.size) && cardsOf(row).length >= row.dataset.size;
const kinOf = (row) => rows().filter((each) => 'making' in each.dataset
  && each.dataset.slot.replace(/\d+$/, '') === row.dataset.slot.replace(/\d+$/, ''));

// The cards are in the address, so that whoever looks at a rule and comes back finds them.
function remember() {
  const said = [...new FormData(desk)].filter(([name, value]) => value && name !== 'key' && name !== 'typing');
  history.replaceState(history.state, '', `?${new URLSearchParams(said)}`);
}

function changed(row) {
  row.querySelector('[role]')?.remove();
  if (row.dataset.slot === 'cards' && document.querySelector('#melds [data-fits]')) {
    find('onto').value = '';
    for (const id of ['own', 'theirs']) if (find(id)) find(id).checked = false;
  }
  draw(row);
  grow(row);
  mirror(row);
  if (typing) typing.disabled = false;
  remember();
  clearTimeout(asking);
  asking = setTimeout(ask, mayBeDone(row) ? 0 : 90);
}

// The sort key of a card in a hand: suits and ranks are in the order of the keys.
const keys = [...desk.querySelectorAll('.suit, [data-rank]')].map(({ id }) => id);
function place(card) {
  const [value, letter] = face(card);
  return keys.indexOf(`suit-${letter}`) * 100 + keys.indexOf(`rank-${value}`);
}

function write(row, cards) {
  if (row.dataset.slot === 'hand') cards.sort((one, other) => place(one) - place(other));
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

// Returns the row for the next card. The melds of a contract are filled one after another. Without a
// contract, a card that fits a finished meld is added to it, and any other card begins the next meld.
function placeFor(card) {
  const kin = now === stay || !('making' in now.dataset) ? [] : kinOf(now);
  if (!kin.length || (cardsOf(now).length && !isDone(now))) return now;
  const wanted = kin.find((row) => 'needed' in row.dataset && !isDone(row));
  if (wanted) return wanted === now || isDone(now) ? wanted : now;
  const taker = kin.find((row) => isDone(row) && row.dataset.takes.split(' ').includes(card));
  return taker ?? kin.find((row) => !cardsOf(row).length) ?? now;
}

function add(card) {
  picked = -1;
  if (queue.length || (now !== stay && mayBeDone(now) && !isKnown(now))) {
    queue.push(card);
    return;
  }
  const row = placeFor(card);
  if (row !== now) turnTo(row);
  write(row, [...cardsOf(row), card]);
}

// After an answer: if the current row of a contract is finished, goes to the next one, and adds the cards
// that were tapped meanwhile.
function goOn() {
  const next = kinOf(now).find((row) => 'needed' in row.dataset && !isDone(row));
  if (now !== stay && picked < 0 && 'needed' in now.dataset && isDone(now) && next) turnTo(next);
  const [first, ...rest] = queue;
  if (!first || !isKnown(now)) return;
  queue = [];
  add(first);
  queue.push(...rest);
}

// Deletes the picked card, else the last one; in an empty row, the last one of the row before.
function takeBack() {
  if (picked >= 0) {
    use(0);
    return;
  }
  if (queue.pop()) return;
  const before = kinOf(now).slice(0, kinOf(now).indexOf(now)).reverse().find((row) => cardsOf(row).length);
  if (!cardsOf(now).length && before) turnTo(before);
  write(now, cardsOf(now).slice(0, -1));
}

// Moves the picked card to a place in a row, its own or another.
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

// Handles a key below the picked card: moves it one place left (−1) or right (1), or deletes it (0).
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
  const row = find(name).closest('.slot');
  const [mine, theirs] = ['own', 'theirs'].map((id) => find(id));
  if (mine) mine.checked = own !== undefined;
  if (theirs) theirs.checked = own === undefined;
  turnTo(row);
  write(row, text.split(' '));
}

// Shows the referee's answer on the page: at each row and meld, at the wilds, and at the button to record.
function heed() {
  const ruling = find('ruling');
  if (!ruling) return;
  for (const { dataset } of ruling.querySelectorAll('[data-row]')) {
    const row = find(dataset.row)?.closest('.slot');
    if (!row || fieldOf(row).value !== dataset.text) continue;
    rowName(row);
    for (const name of ['text', 'mark', 'gaps', 'before', 'bad', 'takes', 'size']) row.dataset[name] = dataset[name];
    const [label, small] = row.querySelector('label').children;
    label.textContent = dataset.label;
    small.textContent = dataset.says;
    draw(row);
  }
  for (const { dataset } of ruling.querySelectorAll('[data-at]')) {
    const meld = all('#melds > li').find((each) => each.dataset.meld === dataset.at);
    meld.dataset.fits = dataset.fits;
    if (dataset.fits === 'yes') meld.parentElement.prepend(meld);
  }
  for (const old of desk.querySelectorAll('.slot .hint')) old.remove();
  for (const hint of ruling.querySelectorAll('.hint')) find(hint.dataset.fill).closest('.slot').append(hint);
  goOn();
  for (const { dataset } of ruling.querySelectorAll('[data-stands]')) {
    document.querySelectorAll(`[data-slot="${dataset.stands}"] .card`).forEach((card, place) => {
      const stands = dataset[`w${place}`];
      if (!stands) return;
      card.setAttribute('data-wild', '');
      card.querySelector('small')?.remove();
      card.append(make('small', [`= ${stands}`]));
    });
  }
  if (record) record.ariaDisabled = String(ruling.dataset.record === undefined);
  if (find('differ')) find('differ').disabled = !ruling.dataset.legal;
}

const ROW = '.slot input';
const PRESSED = '.key, .suit, .card[data-place], [data-by], [data-fill], [data-keep]';

desk.addEventListener('click', (event) => {
  const target = event.target.closest(PRESSED);
  if (!target) return;
  const { dataset } = target;
  if (dataset.key === 'back') {
    takeBack();
  } else if (target.matches('.key, .suit')) {
    const card = cardOf(target);
    if (card) add(card);
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
  if (!target.matches(ROW)) return;
  if (row !== now && picked >= 0) carry(row, cardsOf(row).length);
  else if (row !== now) turnTo(row);
  stay = row;
});
// A tap on the button to record while it's inactive means that these are all cards: the referee then rules
// on them as they are.
record?.addEventListener('click', (event) => {
  if (record.ariaDisabled !== 'true') return;
  event.preventDefault();
  event.stopImmediatePropagation();
  typing.disabled = true;
  ask();
}, true);
// Without an answer from the server, a row with enough cards counts as finished.
document.addEventListener('htmx:error', () => {
  Object.assign(now.dataset, { text: fieldOf(now).value, mark: 'yes', takes: '' });
  goOn();
});
// Cards can be typed without blanks between them; the last one is complete once it has its suit.
const SUITED = 'SHDCX♠♥♦♣✦';
desk.addEventListener('input', ({ target, data }) => {
  if (!target.matches(ROW)) return;
  if (find('picker').querySelector('.suit') && data && target.selectionEnd === target.value.length) {
    target.value = target.value.replace(tiles ? /(\d)(?=[a-z])/gi : RegExp(`([${SUITED}])(?=[^ ,${SUITED}])`, 'gi'), '$1 ');
    const last = cardsOf(target.closest('.slot')).pop();
    if (!tiles && last && last !== 'JK' && !SUITED.includes(last.slice(-1))) return;
  }
  changed(target.closest('.slot'));
});
// On a keyboard, 7 and h work like taps on these keys, unless a field has the focus.
let typed = '';
document.addEventListener('keydown', (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey || target.closest('input, select, textarea, :popover-open')) return;
  if (key === 'Backspace') {
    if (typed) typed = '';
    else takeBack();
  } else if (/^[\da-z*]$/i.test(key)) {
    const suits = find('picker').querySelector('.suit');
    if (!suits || tiles) {
      const field = fieldOf(now);
      if (field.value && !field.value.endsWith(' ')) field.value += ' ';
      field.focus();
      return;
    }
    const next = key.toUpperCase();
    const suit = find(`suit-${next}`);
    if (typed && suit) {
      add((typed === 'T' ? '10' : typed) + next);
      typed = '';
    } else if (find('joker') && (typed + next === 'JK' || next === '*')) {
      add('JK');
      typed = '';
    } else typed = typed === '1' && next === '0' ? '10' : next;
  } else return;
  event.preventDefault();
});
desk.addEventListener('change', ({ target }) => {
  if (!target.matches('[type="checkbox"], select')) return;
  remember();
  ask();
});
// The rarely needed parts unfold below the keys, so they are scrolled to.
document.querySelector('#rare > summary')?.addEventListener('click', ({ target }) => {
  requestAnimationFrame(() => target.scrollIntoView());
});
document.addEventListener('htmx:after:swap', heed);

wake(rows().map(fieldOf));
find('ask')?.toggleAttribute('hidden', true);
for (const row of rows()) {
  row.dataset.was = fieldOf(row).value;
  draw(row);
}
turnTo(document.querySelector('.slot[data-now]'));
heed();
stay = null;
