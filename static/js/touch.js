'use strict';
// Buttons buzz when they are touched. Only phones that want it load this script.

document.addEventListener('pointerdown', ({ target }) => target.closest('button') && navigator.vibrate?.(9));
