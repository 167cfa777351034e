'use strict';
// The browser's own dialog, by the button, or at once where the link that led here says so.

const button = document.getElementById('print');
button.hidden = false;
document.getElementById('by-hand').hidden = true;
button.addEventListener('click', () => print());
if (location.hash === '#print') {
  history.replaceState(history.state, '', location.pathname + location.search);
  addEventListener('load', () => setTimeout(print, 100));
}
