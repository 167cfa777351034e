// Counting by team: steppers, who went out, and keys for the cards. What it all comes to is said by
// the server, which hears of every tap.

const fields = () => all('.teams .num input');
const teamOf = (field) => field.closest('[data-t]').dataset.t;
const column = (team) => all(`.teams td[data-t="${team}"] input`);
const outsOf = (field) => column(teamOf(field)).filter(({ name }) => name === 'out');
// A team is called by the players at its head, and is one hand.
const partners = (player) => [...new Set([player, ...outsOf(find(`left-${player}`) ?? find(`out-${player}`)).map(({ value }) => value)])];
const called = (player) => { const name = document.querySelector(`.teams th[data-t="${teamOf(find(`left-${player}`))}"] .nm`); return name.dataset.whole ?? name.textContent; };
const firstOf = (team) => idOf(fields().find((field) => teamOf(field) === team));
const isTabbed = () => Boolean(document.querySelector('.tabs'));
// Nothing is left of somebody who plays alone and went out; of a team the partners have cards.
const isFree = (field) => field.name.startsWith('left') && outsOf(field).length === 1 && outsOf(field)[0].checked;
const isWanted = (field) => !field.value.trim() && !isFree(field);
const isOpen = isWanted;
const outOf = (field) => outsOf(field)[0];
let lastOut;

// Side by side the fields go row by row; behind tabs one team after the other.
function inOrder() {
  return isTabbed() ? fields().sort((one, other) => teamOf(one) - teamOf(other)) : fields();
}

const isTick = ({ type }) => /radio|box/.test(type);
const sumOf = (field) => terms(field).reduce((total, term) => total + Number(term), 0);

function show(field) {
  const sum = sumOf(field);
  field.parentElement.querySelector('output').textContent = terms(field).length > 1 && !isCards(field.value) && !Number.isNaN(sum) ? signed(sum) : '';
  field.placeholder = isFree(field) ? '0' : '–';
  field.scrollLeft = field.scrollWidth;
}

function count() {
  for (const key of all('[data-card]')) {
    key.querySelector('i')?.remove();
    const taps = now ? terms(now).filter((term) => term === key.dataset.card).length : 0;
    if (taps) key.append(Object.assign(document.createElement('i'), { textContent: taps }));
  }
}

// What is left is counted by what cards cost, melds card by card: their bonuses follow from them.
function keysFor(field, mode) {
  const melds = field.name.startsWith('table') && find('melds');
  if (mode !== 'cards') return 'digits';
  return melds ? 'melds' : find('cards').childElementCount ? 'cards' : 'digits';
}

function draw() {
  count();
  lay();
}

const SIGNS = { S: '♠', H: '♥', D: '♦', C: '♣' };
const meldsOf = (field) => field.value.toUpperCase().split(',').map((meld) => meld.trim()).filter(Boolean);

// The melds as they are tapped, in words of cards.
function lay() {
  if (!find('melds') || !now) return;
  find('laid').textContent = isCards(now.value) ? meldsOf(now).join(' · ').replace(/JK/g, '★').replace(/([0-9AJQK])([SHDC])/g, (_, rank, suit) => rank + SIGNS[suit]) : '';
  find('laid').scrollTop = find('laid').scrollHeight;
}

// Where there are no runs suits are all the same: then each card of a rank has the next suit, and
// what is laid open, the red 3s, comes last.
function suitOf(rank) {
  const pressed = find('melds').querySelector('[data-suit][aria-pressed="true"]');
  const there = now.value.toUpperCase().split(/[\s,]+/).filter((card) => card.slice(0, -1) === rank).length;
  return pressed?.dataset.suit ?? (rank === '3' ? 'SCSC' : 'SHDC')[there % 4];
}

function tapCard({ dataset: { rank, adds } }) {
  const text = isCards(now.value) ? now.value.trim() : '';
  write(now, `${text}${text ? ' ' : ''}${adds ?? rank + suitOf(rank)}`);
}

function forgive(field) {
  delete boxOf(field).dataset.odd;
  find(field.getAttribute('aria-describedby'))?.closest('tr').remove();
  field.ariaInvalid = null;
}

function write(field, text) {
  if (!field) return;
  field.value = text;
  delete field.dataset.pen;
  forgive(field);
  show(field);
  draw();
  judge();
}

function pressed(key) {
  const { key: name, card } = key.dataset;
  const text = now?.value ?? '';
  if (key.matches('.suit')) for (const each of all('#melds .suit')) each.ariaPressed = each === key;
  else if (key.matches('#melds [data-rank], #melds [data-adds]')) tapCard(key);
  else if (name === 'meld' && isCards(text) && !/,\s*$/.test(text)) write(now, `${text},`);
  else if (card) write(now, [...terms(now), card].join('+'));
  else return name === 'meld';
  return true;
}

function step(button) {
  const input = button.parentElement.querySelector('input');
  change(input, Number(input.value) + Number(button.dataset.step));
}

function change(input, number) {
  input.value = Math.max(Number(input.min), Math.min(Number(input.max), number));
  input.parentElement.toggleAttribute('data-zero', !Number(input.value));
  forgive(input);
  judge(0);
}

// A second tap takes it back.
function out(radio) {
  if (radio === lastOut) radio.checked = false;
  lastOut = radio.checked ? radio : null;
  fields().forEach(show);
  judge(0);
}

// Turns to a box that is to be changed: a number is selected, anything else is in hand.
function reachFor(box) {
  if (!box) return;
  if (box.matches('.num input')) {
    turnTo(box);
    return;
  }
  if (box.closest('[data-t]')) bring(box);
  box.closest('tr').scrollIntoView({ block: 'center' });
  box.focus({ preventScroll: true });
}

const missingNow = () => inOrder().filter(isWanted);
// Tapped while it is quiet, Save shows what is missing, or else what is wrong.
function showMissing() {
  const [missing] = missingNow();
  const wrong = document.querySelector('.teams [data-no]');
  if (missing) turnTo(missing);
  else if (wrong) {
    bring(wrong);
    wrong.closest('tr').scrollIntoView({ block: 'center' });
  }
}

// Turns to the tab of a team, where each has one.
function bring(field) {
  const tab = document.querySelector(`[name="tab"][value="${teamOf(field)}"]`);
  if (tab) tab.checked = true;
}

// A column as it is told in one field: "20|245 bonus.natural=1 out=7||".
function choose(radio) {
  const player = idOf(radio);
  const team = teamOf(radio);
  const [left, laid] = radio.value.split('|');
  const words = laid.split(' ').filter(Boolean);
  const told = new Set(words);
  const tally = Object.fromEntries(words.map((word) => word.split('=')));
  radio.closest('.which').remove();
  if (!document.querySelector('.which')) find('choices').remove();
  fillIn(find(`left-${player}`), {
    left,
    table: words.filter((word) => !word.includes('=')).join(' '),
    bonus: Object.fromEntries(words.filter((word) => word.startsWith('bonus.')).map((word) => word.slice(6).split('='))),
    aside: tally.aside ?? 0,
    went: Number(tally.out ?? 0),
    untaken: column(team).filter(({ name, value }) => name === 'untaken' && told.has(`untaken=${value}`)).map(({ value }) => Number(value)),
  });
  judge(0);
}

// Puts a hand into the column of its team.
function fillIn(left, hand) {
  for (const input of column(teamOf(left))) {
    const [kind, , ...name] = input.name.split('-');
    if (kind === 'out') input.checked = Number(input.value) === hand.went;
    else if (kind === 'untaken') input.checked = hand.untaken.includes(Number(input.value));
    else if (kind === 'left' || kind === 'table') input.value = hand[kind];
    else if (kind === 'aside' || kind === 'bonus') {
      input.value = kind === 'aside' ? hand.aside : hand.bonus[name.join('-')] ?? 0;
      input.parentElement.toggleAttribute('data-zero', !Number(input.value));
    }
  }
  lastOut = document.querySelector('[name="out"]:checked');
  fields().forEach(show);
}


// The totals after rounds that are counted without the server, by where they are saved.
const totals = {};

// What the hand of a team comes to, as the server counts it; NaN if its cards are named.
function worth(team) {
  let [points, melds, down, aside, rule] = [0, 0, 0, 0, {}];
  for (const input of column(team)) {
    const { dataset } = input.closest('tr');
    const number = isTick(input) ? Number(input.checked) : sumOf(input);
    if (dataset.row === 'bonus') melds += number;
    if (/bonus|out|table/.test(dataset.row)) down ||= number;
    if (dataset.most) [aside, rule] = [number, dataset];
    else points += number * (form().elements.close?.checked && dataset.once || dataset.each);
  }
  const counts = rule.needs === 'down' ? down : melds >= rule.needs;
  const open = aside >= rule.most && rule.all || aside * rule.each;
  return points + (rule.most ? open * (counts ? 1 : -1) : 0);
}

// Without the server a phone does the sum itself, where it can.
function addUp({ dataset: { t, total } }) {
  const hand = form().matches('[data-adds]') ? worth(t) : NaN;
  (totals[form().getAttribute('action')] ??= {})[t] = Number(total) + hand;
  for (const [id, sum] of [['hand-of', hand], ['tab', hand], ['total-of', Number(total) + hand], ['says-of', '']]) {
    const place = find(`${id}-${firstOf(t)}`);
    if (place) place.textContent = Number.isNaN(sum) ? '…' : signed(sum);
  }
}

// After a round that is not sent yet come its totals and blank columns; nothing if that ends the
// game. Who deals is for the server to say.
function playOn(sheet, typed, url) {
  for (const field of sheet.querySelectorAll('.body input:not([name="tab"])')) {
    field.removeAttribute('checked');
    if (!isTick(field)) field.setAttribute('value', field.type === 'number' ? 0 : '');
  }
  for (const line of sheet.querySelectorAll('.top p')) line.textContent = line.textContent.replace(/ · [^·]*$/, '');
  sheet.querySelector('.sum th').textContent = sheet.querySelector('h1').textContent;
  return [...sheet.querySelectorAll('.end td')].every(({ dataset }) => {
    dataset.total = totals[url]?.[dataset.t];
    return Number(dataset.total) < sheet.querySelector('.teams').dataset.to;
  }) && sheet;
}

// One line says how the count stands, and each column what it comes to.
function tell(judged) {
  if (judged) known = [snapshot(), judged];
  else if (known[0] === snapshot()) [, judged] = known;
  if (!form() || 'closed' in form().dataset) return;
  const missing = missingNow().length;
  const open = all('.which').filter((each) => !each.querySelector(':checked'));
  const { kind, says, asks } = open.length ? { kind: 'doubt', says: '«count.disagree»' } : judged ?? {};
  const line = find('tell');
  if (says) {
    line.dataset.is = kind;
    spell(line, says, asks);
  } else if (isNew()) {
    line.dataset.is = missing ? 'wait' : off ? 'off' : 'in';
    if (!missing) spell(line, off ? '«scripts.keeps»' : '«count.ready»');
  }
  offerPart();
  find('save').ariaDisabled = Boolean(open.length || missing || (!isNew() && kind === 'wait')) || line.dataset.is === 'no';
  if (off) for (const cell of all('.teams .end td')) addUp(cell);
  if (judged) mark(judged);
  for (const [first, [hand, total, note, table, bonus]] of Object.entries(judged?.teams ?? {})) {
    for (const [id, text] of [['hand-of', hand], ['tab', hand], ['total-of', total], ['says-of', note]]) {
      const place = find(`${id}-${first}`);
      if (place && place.textContent !== text) place.textContent = text;
    }
    // Of melds that were tapped the server knows what they are worth, and which have a bonus.
    if (!bonus) continue;
    find(`table-${first}`).parentElement.querySelector('output').textContent = table;
    for (const input of column(teamOf(find(`table-${first}`)))) {
      const [kind, , ...name] = input.name.split('-');
      if (kind !== 'bonus') continue;
      input.value = bonus[name.join('-')] ?? 0;
      input.parentElement.toggleAttribute('data-zero', !Number(input.value));
    }
  }
}

function start() {
  now = null;
  if (!find('count')) return;
  for (const each of all('[data-wait]')) each.removeAttribute('data-wait');
  for (const field of fields()) {
    field.inputMode = 'none';
    show(field);
  }
  for (const input of all('.step input')) input.inputMode = 'none';
  find('digits').hidden = true;
  if (hasKeyboard() && !find('asks')) turnTo(inOrder().find(isWanted) ?? inOrder()[0]);
  lastOut = document.querySelector('[name="out"]:checked');
  const wrong = document.querySelector('.teams [aria-invalid="true"]');
  const tapped = find(location.hash.slice(1));
  if (tapped?.matches('.teams input')) bring(tapped);
  if (wrong) {
    bring(wrong);
    wrong.scrollIntoView({ block: 'center' });
  }
  const odd = find(find('asks')?.dataset.at);
  if (odd?.closest('[data-t]')) bring(odd);
  lightUp();
  tell();
  judge(0);
}

function clicked(target) {
  const button = target.closest('[data-step]');
  if (button) step(button);
  else if (target.matches('.teams td:has(> .cell)')) turnTo(target.querySelector('input'));
  else if (target.matches('[name="out"]')) out(target);
  else if (target.matches('[name^="hand-"]')) choose(target);
  else if (target.matches('[name="close"], [name="untaken"]')) judge(0);
}

document.addEventListener('input', ({ target }) => {
  if (target.matches('.step input') && target.value) change(target, Number(target.value));
});
document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
  if (ctx.target.id === 'count') start();
});

const besides = () => [];
const arrived = start;
