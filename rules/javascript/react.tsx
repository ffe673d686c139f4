import DOMPurify from 'dompurify';

export function Post(props) {
  // ruleid: parapet.javascript.react-dangerous-html
  const one = <div dangerouslySetInnerHTML={{ __html: props.body }} />;
  // ruleid: parapet.javascript.react-dangerous-html
  const two = <p className="text" dangerouslySetInnerHTML={{ __html: comment.html }}></p>;
  // ok: parapet.javascript.react-dangerous-html
  const three = <div dangerouslySetInnerHTML={{ __html: DOMPurify.sanitize(props.body) }} />;
  // ok: parapet.javascript.react-dangerous-html
  const four = <div>{props.body}</div>;
  return [one, two, three, four];
}

export function Link() {
  const target = new URLSearchParams(window.location.search).get('next');
  // ruleid: parapet.javascript.react-href-from-variable
  const one = <a href={target}>next</a>;
  // ruleid: parapet.javascript.react-href-from-variable
  const two = <a className="x" href={window.location.hash.slice(1)}>next</a>;
  // ok: parapet.javascript.react-href-from-variable
  const three = <a href={`/search?q=${encodeURIComponent(target)}`}>next</a>;
  // ok: parapet.javascript.react-href-from-variable
  const four = <a href="/home">home</a>;
  return [one, two, three, four];
}

export function Frames() {
  // ruleid: parapet.javascript.react-insecure-frame
  const one = <iframe src="/widget" sandbox="allow-scripts allow-same-origin" />;
  // ruleid: parapet.javascript.react-insecure-frame
  const two = <iframe sandbox="allow-same-origin allow-forms allow-scripts" src="/widget"></iframe>;
  // ok: parapet.javascript.react-insecure-frame
  const three = <iframe src="/widget" sandbox="allow-scripts" />;
  // ok: parapet.javascript.react-insecure-frame
  const four = <iframe src="/widget" sandbox="allow-same-origin" />;
  return [one, two, three, four];
}

export function render(h, createElement, html) {
  // ruleid: parapet.javascript.vue-dangerous-html
  h('div', { class: 'x', innerHTML: html });
  // ruleid: parapet.javascript.vue-dangerous-html
  createElement('div', { domProps: { innerHTML: html } });
  // ok: parapet.javascript.vue-dangerous-html
  h('div', { innerHTML: DOMPurify.sanitize(html) });
  // ok: parapet.javascript.vue-dangerous-html
  h('div', { innerHTML: '<br>' });
}

export function keep(password, theme) {
  // ruleid: parapet.javascript.local-storage-password
  localStorage.setItem('password', password);
  // ruleid: parapet.javascript.local-storage-password
  sessionStorage.setItem('creditCard', password);
  // ok: parapet.javascript.local-storage-password
  localStorage.setItem('theme', theme);
  // ok: parapet.javascript.local-storage-password
  localStorage.setItem('passwordHintShown', 'yes');
}

// ruleid: parapet.javascript.message-without-origin-check
window.addEventListener('message', (event) => {
  document.body.innerHTML = event.data;
});
// ruleid: parapet.javascript.message-without-origin-check
window.addEventListener('message', function (event) {
  eval(event.data);
});
// ok: parapet.javascript.message-without-origin-check
window.addEventListener('message', (event) => {
  if (event.origin !== 'https://example.com') return;
  document.body.innerHTML = event.data;
});
// ok: parapet.javascript.message-without-origin-check
window.addEventListener('message', (event) => {
  console.log(event.data);
});

export function go() {
  const next = new URLSearchParams(window.location.search).get('next');
  // ruleid: parapet.javascript.open-with-location
  window.location.href = next;
  // ruleid: parapet.javascript.open-with-location
  window.open(next, '_blank');
  // ok: parapet.javascript.open-with-location
  window.location.href = '/home?from=' + encodeURIComponent(next);
  // ok: parapet.javascript.open-with-location
  window.location.assign('/home');
  // ruleid: parapet.javascript.jquery-html-from-location
  $('#name').prepend(next);
  // ruleid: parapet.javascript.jquery-html-from-location
  $('#list').append('<li>' + window.location.hash + '</li>');
  // ok: parapet.javascript.jquery-html-from-location
  $('#name').text(next);
  // ok: parapet.javascript.jquery-html-from-location
  $('#name').html('<b>fixed</b>');
}
