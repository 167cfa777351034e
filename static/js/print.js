'use strict';
// Opens the browser's print dialog: by the button, or at once if the link that led here asked for it.

const button = document.getElementById('print');
button.hidden = false;
document.getElementById('by-hand').hidden = true;
button.addEventListener('click', () => print());
if (location.hash === '#print') {
  history.replaceState(history.state, '', location.pathname + location.search);
  addEventListener('load', () => setTimeout(print, 100));
}
