// One keypad for every count: of points, cards, what was laid and what is left, a row for each player or
// a column for each team. One box is the current one (`now`): its number is selected, keys and keyboard
// type into it, and Next moves on from it. Everything typed is in the boxes and nowhere else.

let now;
// The Out that is chosen, and what it has replaced in its hand: [id, value, checked].
let lastOut;
let replaced = [];
let asking;

const byTeam = () => form().matches('.by-team');
const rowOf = (field) => field.closest('.hand, tr, #close-how');
const teamOf = (field) => field.closest('[data-t]')?.dataset.t;
// All inputs of one hand: those of its row, or of its team's column.
function handOf(field, within = document) {
  const team = teamOf(field);
  return [...team ? within.querySelectorAll(`.teams td[data-t="${team}"] input`) : rowOf(field).querySelectorAll('input')];
}
const isLeft = ({ name }) => name.startsWith('left');
const isTable = ({ name }) => name.startsWith('table');
const isTick = ({ type }) => /radio|box/.test(type);
const outsOf = (field) => handOf(field).filter(({ name }) => name === 'out');
const outOf = (field) => outsOf(field).find(({ checked }) => checked) ?? outsOf(field)[0];

// The boxes in the order in which Next goes through them. The box for the hand that closed is only among
// them once it's shown. If each team has a tab, all boxes of one team come before those of the next.
const fields = () => all('#count .num input');
function inOrder() {
  const seen = fields().filter((field) => field.id !== 'shown' || field.checkVisibility());
  return document.querySelector('.tabs') ? seen.sort((one, other) => teamOf(one) - teamOf(other)) : seen;
}
// Whether a box can stay blank, because its player went out and has nothing left. A player who knocks has
// cards left, and so do the partners of one who went out: their Out has no `data-clears`.
const isFree = (field) => isLeft(field) && handOf(field).some((each) => each.matches('[data-clears]:checked'));
// Nor has somebody whose partner goes out, where that spares them.
const isSpared = (field) => (rowOf(field).dataset.with ?? '').split(' ').some((id) => id && find(`out-${id}`)?.checked);
const isWanted = (field) => !field.value.trim() && !isFree(field) && !isSpared(field) && Boolean(isLeft(field) || teamOf(field));
// Whether Next should stop at a box: also at a blank for points on the table, until its hand is filled in.
const isOpen = (field) => isWanted(field) || (isTable(field) && !field.value && handOf(field).some((each) => isLeft(each) && (isWanted(each) || isFree(each))));

// In a game of points alone a blank can be 0 once one number is typed; Save asks about the others.
const isEnough = () => form().dataset.blank && fields().some((field) => /\d/.test(field.value));
const emptyNow = () => inOrder().filter((field) => isWanted(field) && !rowOf(field).querySelector('.which :checked'));
const missingNow = () => (isEnough() ? [] : emptyNow());
// The sentence about empty boxes until the server has answered, or if it's out of reach.
function sayEmpty(names) {
  if ('zeros' in form().dataset) return names[1] ? word('«count.zeros.other»', names.length) : word('«count.zeros.one»', names[0]);
  return names[1] ? word('«count.still.other»', few(names)) : word('«count.empty.one»', names[0]);
}

// The whole name of a hand's player or team, even if its row or column shows a short form.
function nameOf(field) {
  const name = (byTeam() ? document.querySelector(`.teams th[data-t="${teamOf(field)}"]`) : rowOf(field)).querySelector('.nm');
  return name.dataset.whole ?? name.textContent;
}
const boxOfPlayer = (player) => document.querySelector(`[name="left-${player}"], [name="hand-${player}"], #out-${player}`);
const called = (player) => nameOf(boxOfPlayer(player));
const partners = (player) => [...new Set([player, ...outsOf(boxOfPlayer(player)).map(({ value }) => value.split('-')[0])])];
// From 4 names on the line says 2 of them, and how many more.
const few = (names) => (names.length < 4 ? names.join(', ') : [...names.slice(0, 2), names.length - 2].reduce(word, '«count.few»'));

// Selects the number in a box that becomes the current one: a digit replaces it, Delete empties it, and +
// continues the sum. `data-pen` marks such a box. Cards aren't selected.
function pick(field) {
  for (const each of all('[data-pen]')) each.removeAttribute('data-pen');
  if (!field?.value || isCards(field.value)) return;
  field.dataset.pen = '';
  // Selecting takes the focus, which the sheet has while it asks.
  if (!find('asks')) field.select();
}

// The id of the keys for a box: "digits", "cards", or "melds" for a team's melds, card by card.
function keysFor(field, mode) {
  if (mode !== 'cards' && field.id !== 'shown') return 'digits';
  if (isTable(field) && find('melds')) return 'melds';
  return find('cards').childElementCount ? 'cards' : 'digits';
}

function setMode(mode) {
  remember('keys', mode);
  for (const id of ['digits', 'cards', 'melds']) if (find(id)) find(id).hidden = !now || keysFor(now, mode) !== id;
  draw();
}

function turnTo(field, { focus = true, row = field && rowOf(field) } = {}) {
  now = field;
  const tab = row && document.querySelector(`[name="tab"][value="${teamOf(field ?? row)}"]`);
  if (tab) tab.checked = true;
  for (const each of all('#count [data-now]')) each.toggleAttribute('data-now', each === row);
  row?.toggleAttribute('data-now', true);
  for (const each of fields()) each.toggleAttribute('data-here', each === now);
  pick(now);
  setMode(recall('keys') ?? 'digits');
  if (!focus || !row) return;
  if (now && document.activeElement !== now) now.focus({ preventScroll: true });
  (now?.id === 'shown' ? now : row).scrollIntoView({ block: 'nearest' });
}

// Goes to a box that has to be changed: a number becomes the current box, anything else gets the focus.
function reachFor(box) {
  if (box?.matches('.num input')) turnTo(box);
  else if (box) {
    const input = box.matches('input') ? box : box.querySelector('input');
    turnTo(null, { row: box.closest('[data-t]') ?? rowOf(box) });
    input.focus({ preventScroll: true });
  }
}

// A tap on Save while it's inactive goes to the first box that is missing, or else to one that is wrong.
const showMissing = () => reachFor(missingNow()[0] ?? document.querySelector('#count [data-no]'));

// Next goes to the next empty box, else to the next doubtful one, else simply to the next. So it always
// does something, and never saves.
const isMissing = () => inOrder().some(isWanted);
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
  else if (name === 'meld') write(now, isCards(text) ? text.replace(/[,\s]*$/, ',') : text);
  else if (name === 'back') {
    const whole = find('digits').hidden || isCards(text);
    const shorter = whole ? text.replace(/[+\s,]*[^+\s,]*[\s,]*$/, '') : text.slice(0, -1);
    write(now, isPicked ? '' : shorter, whole);
  } else {
    const before = isCards(text) || (name !== '+' && isPicked) ? '' : text;
    if (name !== '+' || /\d$/.test(before)) write(now, before + name);
  }
}

// How often a key was tapped in all hands together, because the packs have only so many of each card.
function taps(card) {
  return fields()
    .filter((field) => !isTable(field) && (isCards(card) || (field.dataset.tapped ?? field.value.includes('+'))))
    .flatMap(terms).filter((term) => term === card).length;
}
const isGone = (card, { copies, each, jokers }) => taps(card) >= (copies ?? (card === 'JK' ? jokers : each));

// A card for a key that is only a rank. In a game without runs the suit makes no difference, so each card
// of a rank gets the next suit. Red 3s are laid open instead of melded, so 3s are black.
function suited(card) {
  const there = now.value.toUpperCase().split(/[\s,]+/).filter((each) => each.slice(0, -1) === card).length;
  return card + (card === '3' ? 'SCSC' : 'SHDC')[there % 4];
}

// Adds a tapped card to the current box: by name, or its points to the sum.
function tapCard(key) {
  const { card: points } = key.dataset;
  const card = points ?? cardOf(key);
  if (!card) dim();
  else if (isGone(card, { ...key.closest('#cards')?.dataset, ...key.dataset })) hint('«count.no-more»');
  else {
    const kin = isCards(now.value) === !points ? now.value.replace(/[+\s]+$/, '') : '';
    const isBare = key.matches('#melds:not(:has(.suit)) [data-rank]');
    write(now, [kin, isBare ? suited(card) : card].filter(Boolean).join(points ? '+' : ' '), true);
  }
}

function press(key) {
  const { key: name } = key.dataset;
  if (name === 'next') next();
  else if (name === 'mode') setMode(find('digits').hidden ? 'digits' : 'cards');
  else if (name) typeIn(name);
  else if (now) tapCard(key);
}

function dim() {
  for (const key of all('#cards :is([data-card], [data-rank], [data-adds])')) {
    const { card, adds, rank: face } = key.dataset;
    key.ariaDisabled = isGone(card ?? adds ?? withSuit(key.closest('.picker'), face), { ...find('cards').dataset, ...key.dataset });
    key.querySelector('i')?.remove();
    const held = card && now ? terms(now).filter((term) => term === card).length : 0;
    if (held) key.append(Object.assign(document.createElement('i'), { textContent: held }));
  }
}

function hint(text = '') {
  const says = find('sum-says');
  says.textContent = text || (now && `${now.dataset.says ?? labelOf(now) ?? now.ariaLabel}: ${says.dataset.each}`);
}

// Shows the state of the current box around the keys: which cards are used up, and the melds so far.
const SIGNS = { S: '♠', H: '♥', D: '♦', C: '♣' };
function draw() {
  find('sum-says').hidden = find('cards').hidden;
  hint();
  dim();
  const laid = find('laid');
  if (!laid || !now) return;
  const melds = isCards(now.value) ? now.value.toUpperCase().split(',').map((meld) => meld.trim()).filter(Boolean) : [];
  laid.textContent = melds.join(' · ').replace(/JK/g, '★').replace(/([0-9AJQK])([SHDC])/g, (_, face, suit) => face + SIGNS[suit]);
  laid.scrollTop = laid.scrollHeight;
}

const sumOf = (field) => terms(field).reduce((total, term) => total + Number(term), 0);
// The new total at its end is set in bold, as by the server.
const showSum = (row, says) => { row.querySelector('.sum').innerHTML = says.replace(/([=→·] )(−?\d[^ ]*)$/, '$1<b>$2</b>'); };

// Shows the total that a hand leads to before the other hands are typed, if the phone can add it up.
function showRow(row, left) {
  const { total, made, unmade } = row.dataset;
  const laid = row.querySelector('[name^="table"]');
  const adds = form().matches(laid ? '[data-nets]' : '[data-adds]');
  if (!total || !adds) return;
  const points = (laid ? sumOf(laid) : 0) + (laid ? -1 : 1) * sumOf(left);
  const isIn = laid ? laid.value || left.value || isFree(left) : !isWanted(left);
  const now = isIn && !Number.isNaN(points) ? signed(Number(total) + points) : '';
  const before = signed(total);
  if (made) showSum(row, `${row.querySelector('[name^="made"]')?.checked ? made : unmade} · ${now || before}`);
  else if (!now) showSum(row, word('«count.so-far»', before));
  else showSum(row, laid ? `${before} → ${now}` : `${before} ${points < 0 ? '−' : '+'} ${signed(Math.abs(points))} = ${now}`);
}

function show(field) {
  const sum = sumOf(field);
  const output = field.parentElement.querySelector('output');
  if (output && !isCards(field.value)) output.textContent = terms(field).length > 1 && !Number.isNaN(sum) ? signed(sum) : '';
  if (isLeft(field)) {
    field.placeholder = isFree(field) ? '0' : '–';
  }
  const left = handOf(field).find(isLeft);
  if (left) showRow(rowOf(field), left);
  // Nothing laid is 0 once the hand is in.
  if (isTable(field) && !teamOf(field)) field.placeholder = left.value || isFree(left) ? '0' : '–';
  showEnd(field);
}

// A sum that is too long for its box shows its end, and “…” in front.
function showEnd(field) {
  boxOf(field).toggleAttribute('data-long', field.scrollWidth > field.clientWidth);
  field.scrollLeft = field.scrollWidth;
}

// Asks the server to draw the cards that are named in a box, or to remove them.
function deal(field) {
  const dealt = rowOf(field)?.querySelector('.dealt');
  if (dealt && (isCards(field.value) || dealt.firstElementChild)) dealt.dispatchEvent(new Event('deal'));
}

// Removes the marks and the reason for what was wrong with a hand, because it was changed.
function forgive(field) {
  delete boxOf(field).dataset.odd;
  (find(field.getAttribute('aria-describedby'))?.closest('.why') ?? rowOf(field).querySelector('[role="alert"]'))?.remove();
  field.ariaInvalid = null;
}

function write(field, text, tapped = false) {
  if (!field) return;
  field.value = text;
  delete field.dataset.pen;
  if (tapped && text) field.dataset.tapped = '1';
  else delete field.dataset.tapped;
  // Typing points for a player who is out is allowed (Save asks about it). They stay if Out is undone, so
  // that box is no longer among those that undoing Out restores.
  replaced = replaced.filter(([id]) => id !== field.id);
  if (text && isFree(field)) {
    [lastOut] = outsOf(field);
    lastOut.checked = true;
  }
  forgive(field);
  show(field);
  draw();
  judge();
  clearTimeout(asking);
  asking = setTimeout(deal, 120, field);
}

function step(input, number) {
  put(input, { value: Math.max(Number(input.min), Math.min(Number(input.max), number)) });
  forgive(input);
  judge(0);
}

// Handles a tap on Out: it empties the hand, and ticks Made it. A second tap, or an Out for another player,
// restores the hand as it was before (`replaced`).
function out(radio) {
  for (const [id, ...was] of replaced) {
    const field = find(id);
    if (!field) continue;
    put(field, { value: was[0], checked: was[1] });
    deal(field);
  }
  replaced = [];
  if (radio === lastOut) radio.checked = false;
  lastOut = radio.checked ? radio : null;
  const hand = handOf(radio);
  const [left, laid] = [hand.find(isLeft), hand.find(isTable)];
  const made = hand.find(({ name }) => name.startsWith('made'));
  const changes = [radio.matches('[data-clears]') && left, made].filter((each) => each && lastOut);
  replaced = changes.map(({ id, value, checked }) => [id, value, checked]);
  for (const field of changes) {
    put(field, field === made ? { checked: true } : { value: '' });
    forgive(field);
    deal(field);
  }
  fields().forEach(show);
  judge(0);
  // By team the keys come up once a box is tapped.
  if (!now && byTeam()) return;
  const how = find('close-how');
  if (how && lastOut && !how.querySelector(':checked')) turnTo(null, { row: how });
  else if (lastOut && laid && !laid.value) turnTo(laid);
  else if (left && isWanted(left)) turnTo(left);
  else if (now && !now.value && !isFree(now)) turnTo(now);
  else if (isMissing()) next();
}

// Fills the boxes of a team from the version of its hand that was chosen where two phones disagree.
function choose(radio) {
  const told = new URLSearchParams(radio.value);
  for (const input of handOf(radio)) {
    if (BY_VALUE.test(input.name)) input.checked = told.getAll(input.name).includes(input.value);
    else if (isLeft(input) || isTable(input)) input.value = told.get(input.name) ?? '';
    else if (input.type === 'checkbox') input.checked = told.has(input.name);
    else if (!input.name.startsWith('hand-')) put(input, { value: told.get(input.name) ?? 0 });
  }
  radio.closest('.which').remove();
  if (!document.querySelector('.which')) find('choices').remove();
  lastOut = document.querySelector('[name="out"]:checked');
  fields().forEach(show);
  judge(0);
}

// The points of a hand, worked out without the server; NaN if its cards are named.
function worth(hand) {
  if (!teamOf(hand[0])) return sumOf(hand.find(isLeft));
  let [points, melds, down, aside, rule] = [0, 0, 0, 0, {}];
  for (const input of hand) {
    const { dataset } = input.closest('tr');
    const number = isTick(input) ? Number(input.checked) : sumOf(input);
    if (dataset.row === 'bonus') melds += number;
    if (/bonus|out|table/.test(dataset.row)) down ||= number;
    if (dataset.most) [aside, rule] = [number, dataset];
    else points += number * (input.form.elements.close?.checked && dataset.once || dataset.each || 0);
  }
  const counts = rule.needs === 'down' ? down : melds >= rule.needs;
  const open = aside >= rule.most && rule.all || aside * rule.each;
  return points + (rule.most ? open * (counts ? 1 : -1) : 0);
}

// Turns the form of a round that isn't sent yet into that of the next one: totals with that round, and blank
// hands. Returns null if the round ends the game. It removes who deals, which only the server knows.
function playOn(sheet) {
  const sums = [...sheet.querySelectorAll('[data-total]')];
  for (const each of sums) each.dataset.total = Number(each.dataset.total) + worth(handOf(each, sheet));
  for (const line of sheet.querySelectorAll('.by-team .top p')) line.textContent = line.textContent.replace(/ · [^·]*$/, '');
  for (const field of sheet.querySelectorAll('.body input:not([name="tab"])')) {
    field.removeAttribute('checked');
    if (!isTick(field)) field.setAttribute('value', field.type === 'number' ? 0 : '');
  }
  const to = sheet.querySelector('.teams')?.dataset.to ?? Infinity;
  return sums.every(({ dataset }) => Number(dataset.total) < to) ? sheet : null;
}

// Shows texts about a team's hand: by the start of an element's id, which ends in the first player's id.
function showTeam(first, texts) {
  for (const [id, text] of Object.entries(texts)) {
    const place = find(`${id}-${first}`);
    if (place && place.textContent !== text) place.textContent = text;
  }
}

// Without the server a phone does the sum itself, where it can.
function addUp(cell) {
  const hand = form().matches('[data-adds]') ? worth(handOf(cell)) : NaN;
  const [sum, total] = [hand, Number(cell.dataset.total) + hand].map((each) => (Number.isNaN(each) ? '…' : signed(each)));
  showTeam(idOf(handOf(cell).find(isLeft)), { 'hand-of': sum, tab: sum, 'total-of': total, 'says-of': '' });
}

// Shows the state of the count in its line, and what each row or column comes to. `judged` is the server's
// answer; without it, or while something is still missing, the phone says what it knows itself.
function tell(judged) {
  if (judged) known = [snapshot(), judged];
  else if (known[0] === snapshot()) [, judged] = known;
  if (!form() || 'closed' in form().dataset) return;
  const missing = isNew() ? missingNow() : [];
  const open = all('.which').some((each) => !each.querySelector(':checked'));
  const line = find('tell');
  let { kind, says, asks = '' } = judged ?? {};
  let offer = [];
  if (open) [kind, says, asks] = ['doubt', '«count.disagree»', ''];
  else if (missing.length) [kind, says, asks] = ['wait', form().dataset.blank || word('«count.still.other»', few([...new Set(missing.map(nameOf))])), ''];
  else if (judged?.odd?.includes('out-nobody')) {
    [kind, says, asks] = ['ask', '«count.heading.out»', ''];
    offer = [' ', Object.assign(document.createElement('button'), { type: 'button', className: 'link', textContent: '«count.no-one»', onclick: () => find('out-nobody').click() })];
  } else if (!says && isNew() && isEnough() && emptyNow().length) [kind, says] = ['wait', sayEmpty(emptyNow().map(nameOf))];
  else if (!says && (isNew() || find('count').querySelector('.which'))) [kind, says] = off ? ['off', '«scripts.keeps»'] : ['in', '«count.ready»'];
  if (waits && isSaving()) [kind, says, asks, offer] = ['off', waits, '', []];
  if (says) {
    line.dataset.is = kind;
    spell(line, says, asks);
    line.firstElementChild.append(...offer);
  }
  offerPart();
  find('save').ariaDisabled = open || missing.length > 0 || (!isNew() && kind === 'wait') || line.dataset.is === 'no';
  if (off) all('.teams .end td').forEach(addUp);
  if (judged && !find('asks')) mark(judged);
  for (const [player, sum] of Object.entries(judged?.sums ?? {})) {
    const field = find(`left-${player}`);
    const row = field && rowOf(field);
    if (!row?.matches('.hand')) continue;
    showSum(row, sum);
    // What somebody who is out wins is worked out; where melds score as well, nothing is left in hand.
    if (isFree(field) && !row.matches('[data-table]')) field.placeholder = sum.match(/(−?) (\d+) =/)?.slice(1).join('') ?? 0;
  }
  for (const [first, [hand, total, note, table, bonus]] of Object.entries(judged?.teams ?? {})) {
    showTeam(first, { 'hand-of': hand, tab: hand, 'total-of': total, 'says-of': note });
    // Of melds that were tapped the server knows what they are worth, and which have a bonus.
    if (!bonus) continue;
    find(`table-${first}`).parentElement.querySelector('output').textContent = table;
    for (const input of all(`[name^="bonus-${first}-"]`)) put(input, { value: bonus[input.name.split('-').slice(2).join('-')] ?? 0 });
  }
  lookAhead();
}

// Lists the players by their totals after this round, in the place that the keys have on a phone.
function lookAhead() {
  const list = document.querySelector('#count .after ol');
  if (!list?.checkVisibility()) return;
  const ahead = list.parentElement.dataset.lead === 'highest' ? -1 : 1;
  const rows = all('#count .hand[data-total]').map((row) => {
    const before = Number(row.dataset.total);
    const total = Number(row.querySelector('.sum b')?.textContent.replace('−', '-').replace(APART, '') ?? NaN);
    return { row, before, total: Number.isNaN(total) ? before : total, isIn: !Number.isNaN(total) };
  }).sort((one, other) => ahead * (one.total - other.total));
  list.replaceChildren(...rows.map(({ row, before, total, isIn }) => {
    const part = (name, text) => Object.assign(document.createElement(name), { textContent: text });
    const item = document.createElement('li');
    const isOut = row.querySelector('[name="out"]:checked');
    const by = total - before;
    item.append(part('i', 1 + rows.findIndex((each) => each.total === total)), row.querySelector('.disc').cloneNode(true), part('b', nameOf(row)), part('small', !isIn ? '–' : isOut && !by ? row.querySelector('.out, .tick small').textContent.trim() : `${by < 0 ? '−' : '+'}${signed(Math.abs(by))}`), Object.assign(part('span', signed(total)), { className: 'fig' }));
    return item;
  }));
}

// With a mouse there is a keyboard: the first box has its caret at once.
const hasKeyboard = () => matchMedia('(hover: hover) and (pointer: fine)').matches;

function start() {
  now = null;
  if (!form()) return;
  // Out ticks Made it here: one that is blank then is meant so.
  if (form().elements.ticks) form().elements.ticks.value = 1;
  if (!find('digits')) return;
  wake([...fields(), ...all('.step input')]);
  fields().forEach(show);
  lastOut = document.querySelector('[name="out"]:checked');
  // Start at what is wrong, else at what the sheet asks about, else at what was tapped on the pad, else at
  // the first empty box.
  const sought = [document.querySelector('#count [aria-invalid="true"]'), find(find('asks')?.dataset.at), find(location.hash.slice(1))].find((each) => each?.closest('#count'));
  const isBox = sought?.matches('.num input');
  const focus = hasKeyboard() && !form().hidden && !find('asks');
  document.querySelector('#count :is([role="alert"], .banner)')?.scrollIntoView({ block: 'nearest' });
  if (byTeam() && !focus) turnTo(null, { focus, row: sought });
  else turnTo(isBox ? sought : inOrder().find(isOpen) ?? fields().find(({ value }) => value), { focus });
  // Two scores are chosen from before anything is typed.
  document.querySelector('#count .which')?.scrollIntoView({ block: 'center' });
  lightUp();
  tell();
  judge(0);
}

// What count.js stores with the typed hands, and hands back to `arrived` after a reload.
const besides = () => replaced;
function arrived(put = []) {
  replaced = put;
  start();
}

function typed() {
  if (!form()) return;
  keep();
  tell();
}

function clicked(target) {
  const stepper = target.closest('[data-step]');
  const input = stepper?.parentElement.querySelector('input');
  if (input) step(input, Number(input.value) + Number(stepper.dataset.step));
  else if (target.matches('.num input')) pick(target);
  else if (target.matches('.teams td:has(> .cell)')) turnTo(target.querySelector('input'));
  else if (target.matches('[name="out"]')) out(target);
  else if (target.matches('.teams [name^="hand-"]')) choose(target);
  else if (target.matches('[name="close"], [name="untaken"], [name^="made"], [name^="pairs"]')) {
    handOf(target).filter(isLeft).forEach(show);
    judge(0);
    if (target.matches('#close-how *') && isMissing()) next();
  }
}

document.addEventListener('click', ({ target }) => {
  if (!target.closest('#count')) return;
  const key = target.closest('.key, .suit');
  if (target.id === 'show-keys') showKeys();
  else if (key) press(key);
  else clicked(target);
  typed();
});
document.addEventListener('focusin', ({ target }) => {
  if (target.matches('#count .num input') && target !== now) turnTo(target);
});
// A browser shows the beginning of a box that is left.
document.addEventListener('focusout', ({ target }) => {
  if (target.matches('#count .num input')) requestAnimationFrame(() => showEnd(target));
});
document.addEventListener('input', ({ target }) => {
  if (!target.closest('#count')) return;
  if (target.matches('.num input')) write(target, target.value);
  else if (target.matches('.step input') && target.value) step(target, Number(target.value));
  typed();
});
document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
  const { id } = ctx.target;
  const dealt = id?.startsWith('dealt') ? find(id) : null;
  if (id === 'count') start();
  else if (dealt?.dataset.close) find(`close-${dealt.dataset.close}`).checked = true;
  else if (dealt?.dataset.points) rowOf(dealt).querySelector('output').textContent = dealt.dataset.points;
});

// With a keyboard the keys are hidden, until somebody touches the screen or taps Show keys.
const showKeys = () => find('tell')?.closest('.tray').toggleAttribute('data-keys', true);
document.addEventListener('touchstart', showKeys, { passive: true });

// A keyboard works at once, wherever the focus is: digits go to the current box.
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
