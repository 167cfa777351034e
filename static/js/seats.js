'use strict';
// Seats are dragged by their grips; arrows do the same without a script.

const list = () => document.getElementById('seated');
let moves;

function order() {
  return [...list().children].map((each) => each.dataset.player).join();
}

function drop() {
  if (!moves) return;
  const { seat, before } = moves;
  delete seat.dataset.moves;
  moves = null;
  if (order() === before) return;
  const form = document.getElementById('order');
  const field = Object.assign(document.createElement('input'), { type: 'hidden', name: 'order', value: order() });
  form.append(field);
  form.requestSubmit();
  field.remove();
}

document.addEventListener('pointerdown', (event) => {
  const grip = event.target.closest('.grip');
  if (!grip || event.button) return;
  event.preventDefault();
  moves = { seat: grip.closest('li'), before: order() };
  moves.seat.dataset.moves = '';
  grip.setPointerCapture(event.pointerId);
});

document.addEventListener('pointermove', ({ clientY }) => {
  if (!moves) return;
  const { seat } = moves;
  const others = [...list().children].filter((each) => each !== seat);
  const next = others.find((each) => {
    const { top, height } = each.getBoundingClientRect();
    return clientY < top + height / 2;
  });
  if (next !== seat.nextElementSibling) list().insertBefore(seat, next ?? null);
});

document.addEventListener('pointerup', drop);
document.addEventListener('pointercancel', drop);

document.documentElement.classList.add('drags');

// A sheet closes once the answer is on the page: what was chosen on it is in the list then.
document.addEventListener('htmx:after:swap', () => document.querySelector('.sheet:popover-open')?.hidePopover());
