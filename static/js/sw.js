// A game opens without a network, as it was last seen. This is only for looking at it: what is saved goes
// past this script, and waits in the outbox of the page (outbox.js).

const HOUSE = new URL(registration.scope).pathname;
// Files have a hash in their address, so all houses and all versions can share them.
const FILES = 'files';
const PADS = `pads ${HOUSE}`;
const MOST = { [FILES]: 200, [PADS]: 12 };
const PATIENCE = 4000;
const padOf = (path) => /^.*\/g\/[a-z2-7]{10}(?=\/|$)/.exec(path)?.[0];

async function keep(name, key, answer) {
  const cache = await caches.open(name);
  // What is put last is at the end, also if it was there before.
  await cache.put(key, answer);
  const all = await cache.keys();
  await Promise.all(all.slice(0, -MOST[name]).map((each) => cache.delete(each)));
}

// Keeps a pad, and the files that it needs: its page may have loaded some before this script ran.
async function keepPad(path, answer) {
  const text = await answer.clone().text();
  const cache = await caches.open(FILES);
  const files = [...new Set([...text.matchAll(/"([^"]*\/static\/[^"]+)"/g)].map(([, file]) => file))];
  await Promise.all(files.map(async (file) => {
    if (!(await cache.match(file))) await cache.add(file);
  }));
  await keep(PADS, path, answer);
}

async function file(request) {
  const kept = await caches.match(request.url, { cacheName: FILES });
  if (kept) return kept;
  const answer = await fetch(request);
  // A part of a film is no file.
  if (answer.status === 200) await keep(FILES, request.url, answer.clone());
  return answer;
}

// From the network, if it answers soon enough; otherwise the pad, whichever page of its game was asked for.
async function page(event) {
  const path = new URL(event.request.url).pathname;
  try {
    const answer = await fetch(event.request, { signal: AbortSignal.timeout(PATIENCE) });
    if (answer.status === 401) event.waitUntil(forget());
    else if (answer.ok && !answer.redirected && padOf(path) === path) event.waitUntil(keepPad(path, answer.clone()));
    return answer;
  } catch (error) {
    const cache = await caches.open(PADS);
    const pad = padOf(path) ?? (path === HOUSE && new URL((await cache.keys()).pop()?.url ?? path, location).pathname);
    const kept = pad && await cache.match(pad);
    if (!kept) throw error;
    return pad === path ? kept : Response.redirect(pad);
  }
}

// When the board is a new one, the page is kept anew, so that what opens later isn't an old score.
async function board(event) {
  const answer = await fetch(event.request);
  const path = padOf(new URL(event.request.url).pathname);
  if (answer.status === 401) event.waitUntil(forget());
  else if (answer.status === 200) event.waitUntil(fetch(path).then((fresh) => fresh.ok && !fresh.redirected && keepPad(path, fresh)).catch(() => {}));
  return answer;
}

// A phone that was sent away from a house loses the pads that it has stored.
const forget = () => caches.delete(PADS);

// A pad may have been opened before this script ran: its page tells so (install.js).
async function see(path) {
  if (padOf(path) !== path || await caches.match(path, { cacheName: PADS })) return;
  const answer = await fetch(path);
  if (answer.ok && !answer.redirected) await keepPad(path, answer);
}

// A new version takes over at once: pages of the old one still find their files by their hash.
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('message', (event) => event.waitUntil(see(event.data).catch(() => {})));
addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (pathname.includes('/static/')) event.respondWith(file(request));
  else if (request.mode === 'navigate') event.respondWith(page(event));
  else if (pathname.endsWith('/board')) event.respondWith(board(event));
});
