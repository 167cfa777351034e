// Lists saves that were refused after their form was gone. Each stays until somebody decides on it.

let shown;

function reason(text) {
  const page = new DOMParser().parseFromString(text, 'text/html');
  const told = [...page.querySelectorAll('[role="alert"], #error')];
  return (told.length ? told : [...page.querySelectorAll('h1')]).map((each) => each.textContent.trim()).join(' ');
}

// Sends the form again as a page of its own, on which the server asks its question.
async function look(item) {
  await store('put', { ...item, seen: true });
  if ((await send(item))?.ok) {
    await saved(item);
    location.reload();
    return;
  }
  const form = Object.assign(document.createElement('form'), { method: 'post', action: item.url });
  for (const [name, value] of new URLSearchParams(item.body)) {
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
  }
  document.body.append(form);
  form.submit();
}

function button(textContent, onclick) {
  return Object.assign(document.createElement('button'), { className: 'tonal', textContent, onclick });
}

function row(item) {
  const made = document.createElement('div');
  if (item.why) {
    const why = Object.assign(document.createElement('p'), { textContent: word('«scripts.not-saved»', reason(item.why)) });
    made.append(why, Object.assign(document.createElement('small'), { textContent: item.says }), button('«scripts.look»', () => look(item)), button('«scripts.drop»', () => drop(item)));
  } else made.append(button('«scripts.hold»', () => drop(item)));
  return made;
}

// On the page that asks about it, it isn't listed as well.
export function list(items) {
  const rows = items.filter(({ seen, url }) => !seen || url !== location.pathname);
  const text = JSON.stringify(rows);
  if (text === shown) return;
  shown = text;
  box.replaceChildren(box.firstElementChild, ...rows.map(row));
}
