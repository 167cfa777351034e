'use strict';
// Only where a phone wants it: a button answers with a buzz.

document.addEventListener('pointerdown', ({ target }) => target.closest('button') && navigator.vibrate?.(9));
