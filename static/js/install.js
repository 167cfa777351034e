// Over https a phone can open a game without a network: see sw.js.
navigator.serviceWorker?.register(document.currentScript.dataset.worker).catch(() => {});
