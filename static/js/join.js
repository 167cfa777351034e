// The secret of a link is behind the #, which is never sent to a server: it goes into the form, and out of
// the address and the history.
const code = document.getElementById('code');
if (location.hash.length > 8) {
  code.value = location.hash.slice(1);
  document.getElementById('typed').hidden = true;
  history.replaceState(null, '', location.pathname + location.search);
} else if (document.getElementById('onward')) {
  document.getElementById('typed').hidden = true;
  document.getElementById('join').hidden = true;
}
