// Counting hands, a row each. The fields are the only truth; keys write into them, as a keyboard does.

const fields = () => all('.num input');
// The hand that closed is written only once somebody has.
const inOrder = () => fields().filter((field) => field.id !== 'shown' || field.checkVisibility());
const rowOf = (field) => field.closest('.hand, #close-how');
const outsOf = (field) => [...rowOf(field)?.querySelectorAll('[name="out"]') ?? []];
const outOf = (field) => outsOf(field).find((each) => each.checked) ?? outsOf(field)[0];
// Nothing is left over of a player who is out; one who knocks says gin if that is so.
const isFree = (field) => outOf(field)?.checked && (!rowOf(field).matches('[data-gin]') || outOf(field) !== outsOf(field)[0]);
const isLeft = (field) => field.name.startsWith('left');
const isTable = (field) => field.name.startsWith('table');
const isWanted = (field) => isLeft(field) && !field.value.trim() && !isFree(field);
// What is on the table may stay empty once its hand is in.
const isOpen = (field) => isWanted(field) || (isTable(field) && !field.value && [...rowOf(field).querySelectorAll('.num input')].some((each) => isLeft(each) && (isWanted(each) || isFree(each))));
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

function addUp(row, says) {
  row.querySelector('.sum').innerHTML = says.replace(/= (.*)/, '= <b>$1</b>');
}

function show(field) {
  const sum = terms(field).reduce((total, term) => total + Number(term), 0);
  const output = field.parentElement.querySelector('output');
  if (output && !isCards(field.value)) output.textContent = terms(field).length > 1 && !Number.isNaN(sum) ? signed(sum) : '';
  if (isLeft(field)) {
    const row = rowOf(field);
    field.placeholder = isFree(field) ? '0' : '–';
    const total = Number(row.dataset.total);
    if (field.form.matches('[data-adds]')) addUp(row, isWanted(field) || Number.isNaN(sum) ? word('«count.so-far»', signed(total)) : `${signed(total)} ${sum < 0 ? '−' : '+'} ${Math.abs(sum)} = ${signed(total + sum)}`);
  }
  field.scrollLeft = field.scrollWidth;
}

function hint(text = '') {
  const says = find('sum-says');
  says.textContent = text || (now && `${now.dataset.says ?? now.labels[0].textContent}: ${says.dataset.each}`);
}

const keysFor = (field, mode) => ((mode === 'cards' || field.id === 'shown') && find('cards').childElementCount ? 'cards' : 'digits');
const bring = () => {};

function draw() {
  find('sum-says').hidden = find('cards').hidden;
  hint();
  dim();
}

// Cards that were tapped, or are gone, are laid out again.
function deal(field) {
  const dealt = rowOf(field)?.querySelector('.dealt');
  if (dealt && (isCards(field.value) || dealt.firstElementChild)) dealt.dispatchEvent(new Event('deal'));
}

// What was wrong with a hand is forgotten once it is changed.
function forgive(field) {
  delete boxOf(field).dataset.odd;
  rowOf(field).querySelector('[role="alert"]')?.remove();
  field.ariaInvalid = null;
}

function write(field, text, tapped = false) {
  if (!field) return;
  field.value = text;
  delete field.dataset.pen;
  if (tapped && text) field.dataset.tapped = '1';
  else delete field.dataset.tapped;
  // Somebody who is out can have points all the same: it is asked, and an Out taken back leaves them.
  replaced = replaced.filter(([id]) => id !== field.id);
  if (text && isLeft(field) && isFree(field)) {
    lastOut = outsOf(field)[0];
    lastOut.checked = true;
  }
  forgive(field);
  show(field);
  draw();
  judge();
  clearTimeout(asking);
  asking = setTimeout(deal, 120, field);
}

function add(key) {
  if (isGone(key)) {
    hint('«count.no-more»');
    return;
  }
  const { card } = key.dataset;
  const named = key.id === 'joker' ? 'JK' : rank + suit;
  const kin = terms(now).filter((term) => isCards(term) === !card);
  rank = '';
  write(now, [...kin, card ?? named].join(card ? '+' : ' '), true);
}

function pressed(key) {
  if (key.dataset.key) return false;
  if (key.id === 'take-back') typeIn('back');
  else if (key.matches('.suit') && key.id !== 'joker') {
    suit = key.dataset.suit;
    for (const each of all('.suit')) each.ariaPressed = each === key;
    dim();
    if (rank) add(find(`rank-${rank}`));
  } else if (key.dataset.rank) {
    rank = key.dataset.rank;
    if (suit) add(key);
  } else if (now) add(key);
  return true;
}

// A hand stands for nobody else; it is called by the name of its row, however short that is shown.
const partners = (player) => [player];
const nameOf = (row) => row.querySelector('.nm').dataset.whole ?? row.querySelector('.nm').textContent;
const called = (player) => nameOf(document.querySelector(`[name="left-${player}"], [name="hand-${player}"]`).closest('.hand'));

// In a game of points alone a blank adds nothing, once one number is there.
const isEnough = () => form().dataset.blank && fields().some((field) => /\d/.test(field.value));

// From 4 names on the line says 2 of them, and how many more.
const few = (names) => (names.length < 4 ? names.join(', ') : [...names.slice(0, 2), names.length - 2].reduce(word, '«count.few»'));

function missingNow() {
  const blank = fields().filter((field) => isWanted(field) && !rowOf(field).querySelector('.which :checked'));
  return isEnough() ? [] : blank;
}

function showMissing() {
  const [missing] = missingNow();
  if (missing) turnTo(missing);
}

function tell(judged) {
  if (judged) known = [snapshot(), judged];
  else if (known[0] === snapshot()) [, judged] = known;
  if (!form() || 'closed' in form().dataset) return;
  const missing = missingNow();
  const open = all('.which').filter((each) => !each.querySelector(':checked'));
  let { kind, says, asks } = judged ?? {};
  if (missing.length && isNew()) [kind, says] = ['wait', !isEnough() && form().dataset.blank || word('«count.still.other»', few(missing.map((field) => nameOf(rowOf(field)))))];
  if (open.length) [kind, says, asks] = ['doubt', '«count.disagree»'];
  const line = find('tell');
  if (says) {
    line.dataset.is = kind;
    spell(line, says, kind === 'doubt' ? asks : '');
  } else if (isNew()) {
    line.dataset.is = off ? 'off' : 'in';
    spell(line, off ? '«scripts.keeps»' : '«count.ready»');
  }
  offerPart();
  find('save').ariaDisabled = Boolean(open.length || (isNew() ? missing.length : kind === 'wait')) || line.dataset.is === 'no';
  if (judged) mark(judged);
  for (const [player, sum] of Object.entries(judged?.sums ?? {})) {
    const field = find(`left-${player}`);
    if (!field) continue;
    const row = rowOf(field);
    addUp(row, sum);
    // What somebody who is out wins is worked out; where melds score as well, nothing is left in hand.
    if (isFree(field) && !row.matches('[data-table]')) field.placeholder = sum.match(/(−?) (\d+) =/)?.slice(1).join('') ?? 0;
  }
  lookAhead();
}

// Where there is a mouse, what the totals come to takes the place of the keys.
function lookAhead() {
  const list = document.querySelector('#count .after ol');
  if (!list?.checkVisibility()) return;
  const ahead = list.parentElement.dataset.lead === 'highest' ? -1 : 1;
  const rows = all('#count .hand[data-total]').map((row) => {
    const before = Number(row.dataset.total);
    const total = Number(row.querySelector('.sum b')?.textContent.replace('−', '-') ?? NaN);
    return { row, before, total: Number.isNaN(total) ? before : total, isIn: !Number.isNaN(total) };
  }).sort((one, other) => ahead * (one.total - other.total));
  list.replaceChildren(...rows.map(({ row, before, total, isIn }) => {
    const part = (name, text) => Object.assign(document.createElement(name), { textContent: text });
    const item = document.createElement('li');
    const isOut = row.querySelector('[name="out"]:checked');
    const by = total - before;
    item.append(row.querySelector('.disc').cloneNode(true), part('b', nameOf(row)), part('small', !isIn ? '–' : isOut && !by ? row.querySelector('.out').textContent.trim() : `${by < 0 ? '−' : '+'}${Math.abs(by)}`), Object.assign(part('span', signed(total)), { className: 'fig' }));
    return item;
  }));
}

// After a round that is not sent yet: the totals with what was typed, and blank hands.
function playOn(sheet, typed) {
  for (const field of sheet.querySelectorAll('.hand input')) {
    field.removeAttribute('checked');
    if (!isLeft(field)) continue;
    field.setAttribute('value', '');
    const { dataset } = rowOf(field);
    dataset.total = terms({ value: typed.get(field.name) }).reduce((total, term) => total + Number(term), Number(dataset.total));
  }
  return sheet;
}

// What an Out that is taken back has replaced in its hand.
function putBack() {
  for (const [id, value, checked] of replaced) {
    const field = find(id);
    if (!field) continue;
    Object.assign(field, { value, checked });
    deal(field);
  }
  replaced = [];
}

// Turns to a box that is to be changed: a number is selected, a tick is in hand.
function reachFor(box) {
  if (box?.matches('.num input')) turnTo(box);
  else if (box) {
    turnTo(null, { row: box.closest('.hand, #close-how') });
    (box.matches('input') ? box : box.querySelector('input')).focus({ preventScroll: true });
  }
}

function out(radio) {
  const hand = radio.closest('.hand');
  const own = [...hand.querySelectorAll('.num input')];
  const left = own.find(isLeft);
  putBack();
  // A second tap takes it back.
  if (radio === lastOut || !radio.checked) {
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
  judge(0);
  const how = find('close-how');
  const laid = own.find(isTable);
  if (how && radio.checked && !how.querySelector(':checked')) turnTo(null, { row: how });
  else if (laid && radio.checked && !laid.value) turnTo(laid);
  else if (left && isWanted(left)) turnTo(left);
  else if (now && !now.value && !(isLeft(now) && isFree(now))) turnTo(now);
  else if (isMissing()) next();
}

function start() {
  if (!find('count')) return;
  now = null;
  // Out ticks Made it here: one that is blank then is meant so.
  if (form().elements.ticks) form().elements.ticks.value = 1;
  if (!find('digits')) return;
  for (const each of all('[data-wait]')) each.removeAttribute('data-wait');
  for (const field of fields()) {
    field.inputMode = 'none';
    show(field);
  }
  lastOut = document.querySelector('[name="out"]:checked');
  const wrong = document.querySelector('[role="alert"]')?.closest('.hand, #close-how');
  const odd = find(find('asks')?.dataset.at);
  const open = odd?.matches('.num input') ? odd : fields().find(isOpen);
  document.querySelector('#count :is([role="alert"], .banner)')?.scrollIntoView({ block: 'nearest' });
  turnTo(wrong?.querySelector('.num input') ?? open ?? fields().find((field) => field.value), { focus: hasKeyboard() && !form().hidden && !find('asks') });
  lightUp();
  tell();
  judge(0);
}

function clicked(target) {
  if (target.matches('[name="out"]')) out(target);
  else if (target.matches('[name="close"]') && isMissing()) next();
  else if (target.matches('[name^="made"]')) judge(0);
}

document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
  const { id } = ctx.target;
  const dealt = id?.startsWith('dealt') && find(id);
  if (id === 'count') start();
  else if (!dealt) return;
  else if (dealt.dataset.close) find(`close-${dealt.dataset.close}`).checked = true;
  else if (dealt.dataset.points) rowOf(dealt).querySelector('output').textContent = dealt.dataset.points;
});

// What is kept beside what was typed, and put back with it.
const besides = () => replaced;
function arrived(put = []) {
  replaced = put;
  start();
}
