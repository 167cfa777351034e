// A browser keeps the screen on while a film plays: one with sound, if only silence, and without `loop`,
// or WebKit takes it for a picture that moves. Nobody sees it.

const { mp4, webm } = document.getElementById('awake').dataset;
const film = Object.assign(document.createElement('video'), { muted: true, playsInline: true, className: 'film', ariaHidden: true });

function stayAwake() {
  if (document.hidden || !document.getElementById('count-round')) film.pause();
  else film.play().catch(() => { /* the phone's own settings can keep it on longer */ });
}

film.ontimeupdate = () => { if (film.currentTime > 4) film.currentTime = Math.random(); };
film.onloadeddata = stayAwake;
document.addEventListener('visibilitychange', stayAwake);
document.addEventListener('htmx:after:swap', stayAwake);
document.body.append(film);
const answer = await fetch(film.canPlayType('video/mp4; codecs="avc1.42E01E, mp4a.40.2"') ? mp4 : webm);
film.src = URL.createObjectURL(await answer.blob());
