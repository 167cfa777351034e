'use strict';
// A tap on a chapter in the sheet of contents closes the sheet, and unfolds the chapter.
document.addEventListener('click', ({ target }) => {
  const link = target.closest('a[href^="#"]');
  link?.closest(':popover-open')?.hidePopover();
  const chapter = link && document.getElementById(link.hash.slice(1));
  if (chapter?.matches('details')) chapter.open = true;
});

// While rules are changed, a phone shows the chapters folded, because the most important rules are in the
// list at the top. An answer of the server replaces the page, so what somebody has unfolded is unfolded
// again: chapters, and lists of what can be added that were unfolded after the request was sent.
const unfolded = kind => [...document.querySelectorAll(`details.${kind}[open]`)].map(({ id }) => id);
const unfold = (ids) => {
  const wide = matchMedia('(min-width: 56rem)').matches;
  for (const folded of document.querySelectorAll('details[id]')) {
    if (ids.includes(folded.id) || (wide && folded.matches('.chapter:not(.fine)'))) folded.open = true;
  }
};
let stays = [];
let asked = [];
document.addEventListener('htmx:before:request', () => { asked = unfolded('more'); });
document.addEventListener('htmx:before:swap', () => {
  stays = [...unfolded('chapter'), ...unfolded('more').filter(id => !asked.includes(id))];
});
document.addEventListener('htmx:after:swap', () => unfold(stays));
unfold([]);

// The contents show the chapter that is read: the last one that begins in the upper third.
const here = () => {
  const read = [...document.querySelectorAll('.chapter[id]')]
    .findLast(each => each.getBoundingClientRect().top < innerHeight / 3);
  for (const link of document.querySelectorAll('#contents a')) {
    if (read && link.hash === `#${read.id}`) link.ariaCurrent = 'true';
    else link.removeAttribute('aria-current');
  }
};
let soon;
addEventListener('scroll', () => {
  cancelAnimationFrame(soon);
  soon = requestAnimationFrame(here);
}, { passive: true });
document.addEventListener('htmx:after:swap', here);
here();

// Links have a # for browsers without scripts. Here the page is replaced in place and mustn't jump.
document.addEventListener('htmx:config:request', ({ detail: { ctx } }) => {
  if (ctx.target.id === 'rulebook') ctx.request.anchor = '';
});

// Whatever an answer adds or removes above it, the element that was tapped stays at the same height on the
// screen; if it's gone, the open rule does. `before` has the candidates, each as [id, top], the best first.
const opened = () => document.querySelector('#open > .rule');
const placed = element => element && [element.id, element.getBoundingClientRect().top];
let before;
let revealed;
let within;
document.addEventListener('htmx:before:swap', ({ detail: { ctx } }) => {
  const { sourceElement } = ctx;
  const link = sourceElement.closest('a');
  const inside = link ? link.closest('.edit [id]') ?? link.closest('.rule[id], dd > a[id]')
    : ctx.request.submitter?.id ? ctx.request.submitter : sourceElement.querySelector('input:not([type])');
  const opens = link && new URL(link.href).searchParams.get('open');
  revealed = opens && !link.closest('.edit');
  within = link?.closest('.edit') && link.id;
  const line = sourceElement.closest('dl > div');
  const lines = [line, line?.nextElementSibling].map(each => placed(each?.querySelector('dd > a')));
  before = [placed(inside), placed(link ? null : opened()), ...lines, opens && [`r-${opens}`, innerHeight / 4]].filter(Boolean);
});
document.addEventListener('htmx:after:swap', () => {
  const [id, top] = before?.find(([id]) => document.getElementById(id)) ?? [];
  const rule = id ? document.getElementById(id) : before?.length && opened();
  rule?.closest('.fine')?.setAttribute('open', '');
  if (rule) scrollBy(0, rule.getBoundingClientRect().top - (top ?? before[0][1]));
  // If the controls of the open rule became shorter, the rest of them would be too far up.
  const edit = rule?.closest('.edit');
  const bottom = edit?.getBoundingClientRect().bottom;
  if (bottom < innerHeight / 2) scrollBy(0, bottom - innerHeight / 2);
  // The same goes for a new rule, which is added at the end of those controls.
  if (!edit && rule?.getBoundingClientRect().top < 0) rule.scrollIntoView({ block: 'nearest' });
  // The controls that a tap opened are below the rule, and can be off the screen.
  const seen = revealed && document.querySelector('dl > div:has(#open), #open');
  if (seen) seen.scrollIntoView({ block: seen.offsetHeight > innerHeight - 160 ? 'start' : 'nearest' });
  document.getElementById(within)?.closest('li')?.scrollIntoView({ block: 'nearest' });
  write();
});

// The empty box for a rule in your own words gets the focus as soon as it's shown.
const write = () => {
  const field = document.querySelector('.own-words textarea');
  if (field?.value === '') field.focus({ preventScroll: true });
};
write();

// A tap on a number or a name selects it, so that typing replaces it.
let entered;
document.addEventListener('focusin', ({ target }) => {
  if (target.matches('.step input, #name')) (entered = target).select();
});
document.addEventListener('click', ({ target }) => {
  if (target === entered) target.select();  // The tap put the cursor somewhere.
  entered = null;
});

// What was typed is sent as soon as its field is left, and before the next tap does anything. (Enter presses
// a hidden button.) It isn't sent while a request is under way: the answer to that would overwrite it.
let typing;
let sent;
let next;
let underway = false;
const submit = () => {
  typing.left = true;
  if (!underway) typing.field.form.requestSubmit();
};
document.addEventListener('input', ({ target }) => {
  if (target.matches('.step input, .own-words textarea')) typing = { field: target, value: target.value, left: false };
  // Typing a number deselects the choice below it that has no number, such as "no limit".
  target.closest('.numbers:not(.many)')?.closest('fieldset').querySelector('.pick[aria-pressed="true"]')?.setAttribute('aria-pressed', 'false');
});
document.addEventListener('submit', (event) => {
  if (event.target !== typing?.field.form) return;
  typing.left = true;
  entered = typing.field;  // Another tap selects the number, even before the answer is here.
  if (underway) {
    event.preventDefault();
    event.stopPropagation();
  } else sent = typing;
}, true);
// A tick is sent at once.
document.addEventListener('change', ({ target }) => {
  if (target.matches('.tick input')) target.form.requestSubmit();
});
document.addEventListener('focusout', ({ target }) => {
  if (target === typing?.field && target.isConnected && typing !== sent) submit();
});
document.addEventListener('click', (event) => {
  const tapped = event.target.closest('#rulebook :is(a[href], summary, button:not(.vh))');
  if (!tapped || !typing?.field.isConnected || tapped.parentElement.matches('.own-words')) return;
  event.preventDefault();
  event.stopPropagation();
  next = tapped;
  if (typing !== sent) submit();
}, true);
document.addEventListener('htmx:before:request', () => { underway = true; });
document.addEventListener('htmx:finally:request', ({ detail: { ctx } }) => {
  underway = false;
  const answered = sent;
  sent = null;
  if (ctx.status !== 'swapped') {  // It never arrived; the next tap sends it again.
    next = null;
    return;
  }
  if (typing && typing !== answered) {
    const field = document.getElementById(typing.field.id);
    if (field) {
      typing.field = field;
      field.value = typing.value;
      if (typing.left) submit();
      return;
    }
  }
  typing = null;
  if (!next) return;
  const tapped = document.getElementById(next.id) ?? next;
  next = null;
  if (!document.querySelector('#rulebook .wrong[role="alert"]')) tapped.click();
});

// Rules are found while somebody types, twice a second at most; Enter leads to a page of them.
let soonest;
const look = async (form) => {
  const words = form.find.value.trim();
  const answer = words && await fetch(`?${new URLSearchParams(new FormData(form))}`).catch(() => null);
  // Busy with what others ask: once more in a moment.
  if (answer?.status === 429) soonest = setTimeout(look, 1000, form);
  const page = answer?.ok ? await answer.text() : '';
  if (form.find.value.trim() === words) show(new DOMParser().parseFromString(page, 'text/html').getElementById('hits'));
};
const show = (hits) => {
  const there = document.getElementById('hits');
  const rest = document.querySelector('.book > .body:not(#hits)');
  if (!hits && !rest) return;
  if (rest) rest.hidden = Boolean(hits);
  if (there) there.replaceWith(...[hits].filter(Boolean));
  else if (hits) rest.before(hits);
  if (!hits) return;
  if (rest) hits.className = 'body';
  globalThis.htmx?.process(hits);
};
document.addEventListener('input', ({ target }) => {
  if (target.id !== 'find') return;
  clearTimeout(soonest);
  soonest = setTimeout(look, 500, target.form);
});
document.addEventListener('click', ({ target }) => {
  const to = target.closest('#hits a, #contents a');
  if (!to || !document.querySelector('.book')) return;
  document.getElementById('find').value = '';
  if (to.hash && to.pathname === location.pathname && to.search === location.search) show(null);
});
