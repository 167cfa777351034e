'use strict';
// Sends a result by the phone's own share sheet, if the page may open it. Over plain http a page may neither
// do that nor copy by itself, so there the copy button comes first.

// The page of a result is asked for only while somebody looks at it.
document.addEventListener('htmx:before:request', (event) => {
  if (event.target.id === 'outcome' && document.hidden) event.preventDefault();
});

function offerWays() {
  const [send, copy, message] = ['send-it', 'copy', 'message'].map((id) => document.getElementById(id));
  send.hidden = !navigator.share;
  message.hidden = !send.hidden;
  copy.hidden = false;
  copy.className = send.hidden ? 'go' : 'tonal';
}

// Copies the text; if the page may not, it selects it, for the phone's own menu.
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(text);
    return document.execCommand('copy');
  }
}

document.addEventListener('click', async ({ target }) => {
  const text = document.getElementById('result-text');
  if (target.closest('#send-it')) navigator.share({ text: text.textContent }).catch(() => {});
  if (target.closest('#copy')) document.getElementById('copied').textContent = await copyText(text) ? '«scripts.copied»' : '«scripts.selected»';
});

// Drawing takes a while, and a download says nothing meanwhile. Once the phone has the picture, the link is
// followed as ever: the server then only says that it's the same one.
document.addEventListener('click', async (event) => {
  const link = event.target.closest('#picture');
  if (!link || link.matches('[data-drawn]')) return;
  event.preventDefault();
  if (link.ariaBusy) return;
  const says = link.lastElementChild;
  const label = link.dataset.label ??= says.textContent;
  link.ariaBusy = 'true';
  says.textContent = '«scripts.drawing»';
  try {
    const answer = await fetch(link.href);
    if (!answer.ok) throw new Error(answer.status);
    await answer.blob();
    says.textContent = label;
    link.toggleAttribute('data-drawn', true);
    link.click();
  } catch {
    says.textContent = '«scripts.not-drawn»';
  }
  link.ariaBusy = null;
  link.toggleAttribute('data-drawn', false);
});

document.addEventListener('htmx:after:swap', offerWays);
offerWays();
