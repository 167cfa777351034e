'use strict';
// The turn clock between two answers of the server. It is worked out from times and never from
// ticks: a phone that was locked, or slept in the background, shows what the others show.

// Milliseconds after the end of a turn: if nobody has passed it on by then, the screen can go dark.
const FORGOTTEN = 300000;
// Milliseconds after the large button has changed: a tap until then was meant for what it said before.
const UNMEANT = 500;

const face = () => document.getElementById('clock-face');
const sound = document.getElementById('sound');
const offline = document.querySelector('.offline');
const isFace = (event) => event.target.id === 'clock-face';
const taps = (tag) => Number.parseInt(tag ?? '', 10);
const large = () => document.querySelector('.pass').textContent;
const hears = () => (recall('sound') ?? document.documentElement.dataset.sound) === 'on';
// The server's time in the answer that is shown.
let known;
let meant = large();
// What the large button said when it was tapped last.
let tapped;
let behind = 0; // how far this phone's clock is ahead of the server's
let changed = 0;
let before = Infinity;
let audio;
let lock;
let awake = false;

function left() {
  const { ends, left: rest } = face().dataset;
  return ends ? ends - (Date.now() - behind) : Number(rest);
}

// Three beeps when the time is up, one a little before; only where somebody switched them on.
function signal(beeps) {
  if (!hears()) return;
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(Array(2 * beeps - 1).fill(150));
  if (audio?.state !== 'running') return;
  for (let beep = 0; beep < beeps; beep += 1) {
    const at = audio.currentTime + beep * 0.3;
    const tone = audio.createOscillator();
    const gain = audio.createGain();
    tone.frequency.value = 880;
    gain.gain.setValueAtTime(0.3, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + 0.25);
    tone.connect(gain).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.25);
  }
}

// A browser lets a page make sounds once somebody has tapped on it.
function allowSound() {
  sound.textContent = hears() ? '«clock.sound-on»' : '«clock.sound-off»';
  if (!hears()) return;
  audio ??= new AudioContext();
  audio.resume();
}

async function stayAwake(wanted) {
  if (wanted === awake) return;
  awake = wanted;
  lock?.release();
  lock = null;
  if (wanted) lock = await navigator.wakeLock?.request('screen').catch(() => null);
}

function put(id, text) {
  const place = document.getElementById(id);
  if (place.textContent !== text) place.textContent = text;
}

function show() {
  const rest = left();
  const seconds = Math.max(0, Math.ceil(rest / 1000));
  const says = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  const running = Boolean(face().dataset.ends);
  put('time', says);
  put('up', rest > 0 ? '' : document.getElementById('up').dataset.says);
  face().toggleAttribute('data-up', rest <= 0);
  document.getElementById('rest').value = Math.max(0, rest);
  document.title = `${says} ${document.querySelector('h1').textContent} · Laydown`;
  // Only what is crossed while it is looked at is rung: a phone that wakes up late stays silent.
  if (running && before - rest < 2000) {
    if (before > 0 && rest <= 0) signal(3);
    else if (before > 10000 && rest <= 10000) signal(1);
  }
  before = rest;
  stayAwake(running && !document.hidden && rest > -FORGOTTEN);
}

function arrive() {
  const { now } = face().dataset;
  if (now === known) return;
  known = now;
  behind = Date.now() - now;
  before = Infinity;
  if (large() !== meant) changed = Date.now();
  meant = large();
  show();
}

function wake() {
  if (document.hidden) {
    stayAwake(false);
    return;
  }
  show();
  face().dispatchEvent(new Event('refresh'));
}
document.addEventListener('visibilitychange', wake);
addEventListener('pageshow', ({ persisted }) => persisted && wake());
addEventListener('online', wake);

document.addEventListener('htmx:config:request', (event) => {
  if (isFace(event) && document.hidden) event.preventDefault();
});

// An answer is dropped if a newer one is shown already.
document.addEventListener('htmx:before:response', (event) => {
  const { headers, status } = event.detail.ctx.response;
  if (isFace(event)) offline.hidden = status < 500;
  if (taps(headers.get('HX-PTag')) < taps(face().getAttribute('hx-ptag'))) event.preventDefault();
});
document.addEventListener('htmx:error', (event) => {
  if (isFace(event)) offline.hidden = false;
});
document.addEventListener('htmx:after:swap', arrive);

document.addEventListener('click', (event) => {
  if (event.target === sound) remember('sound', hears() ? 'off' : 'on');
  allowSound();
  if (event.target === sound) signal(1);
  if (!event.target.closest('button.pass')) return;
  if (event.isTrusted) tapped = large();
  // A tap that waited for an answer, and that taps.js makes now, counts if the button still says the same.
  if (event.isTrusted ? Date.now() - changed < UNMEANT : large() !== tapped) {
    event.preventDefault();
    event.stopPropagation();
  }
}, true);

sound.hidden = false;
sound.textContent = hears() ? '«clock.sound-on»' : '«clock.sound-off»';
arrive();
setInterval(show, 200);
