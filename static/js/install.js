// Over https a phone can open a game without a network: see sw.js.
const { serviceWorker } = navigator;
serviceWorker?.register(document.currentScript.dataset.worker)
  .then(() => serviceWorker.ready)
  .then(({ active }) => active.postMessage(location.pathname))
  .catch(() => {});
