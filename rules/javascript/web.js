const cors = require('cors');
const session = require('express-session');
const axios = require('axios');

app.get('/hello', (req, res) => {
  const name = req.query.name;
  // ruleid: parapet.javascript.xss-response-request
  res.send(`<p>Hello ${name}</p>`);
  // ruleid: parapet.javascript.xss-response-request
  res.status(404).send('<p>No page ' + req.params.page + '</p>');
  // ok: parapet.javascript.xss-response-request
  res.send(`<p>Hello ${escapeHtml(name)}</p>`);
  // ok: parapet.javascript.xss-response-request
  res.json({ name });
  // ok: parapet.javascript.xss-response-request
  res.send({ name });
  // ok: parapet.javascript.xss-response-request
  res.render('hello', { name });
});

app.get('/go', (req, res) => {
  // ruleid: parapet.javascript.open-redirect-request
  res.redirect(req.query.next);
  // ruleid: parapet.javascript.open-redirect-request
  res.redirect(302, req.body.next);
  // ok: parapet.javascript.open-redirect-request
  res.redirect(`/people/${req.params.id}`);
  // ok: parapet.javascript.open-redirect-request
  res.redirect('/login?next=' + encodeURIComponent(req.query.next));
});

app.get('/fetch', async (req, res) => {
  // ruleid: parapet.javascript.ssrf-request
  await fetch(req.query.url);
  // ruleid: parapet.javascript.ssrf-request
  await axios.get(`https://${req.query.host}/status`);
  // ok: parapet.javascript.ssrf-request
  await axios.get(`https://api.example.com/items/${req.params.item}`);
  // ok: parapet.javascript.ssrf-request
  await fetch('https://api.example.com/items', { body: req.body.text });
});

// ruleid: parapet.javascript.cors-credentials-any-origin
app.use(cors({ origin: true, credentials: true }));
// ok: parapet.javascript.cors-credentials-any-origin
app.use(cors({ origin: 'https://app.example.com', credentials: true }));
// ok: parapet.javascript.cors-credentials-any-origin
app.use(cors({ origin: true }));

function allow(req, res, next) {
  // ruleid: parapet.javascript.cors-credentials-any-origin
  res.setHeader('Access-Control-Allow-Origin', req.headers.origin);
  res.setHeader('Access-Control-Allow-Credentials', 'true');
  next();
}

app.post('/login', (req, res) => {
  // ruleid: parapet.javascript.cookie-readable-by-script
  res.cookie('session', make(), { httpOnly: false, secure: true });
  // ok: parapet.javascript.cookie-readable-by-script
  res.cookie('session', make(), { httpOnly: true, secure: true });
  // ok: parapet.javascript.cookie-readable-by-script
  res.cookie('xsrf-token', make(), { httpOnly: false, secure: true });
  // ok: parapet.javascript.cookie-readable-by-script
  res.cookie('theme', 'dark', { httpOnly: false });
});
// ruleid: parapet.javascript.cookie-readable-by-script
app.use(session({ secret: key, cookie: { httpOnly: false } }));
