const child_process = require('child_process');
const crypto = require('crypto');
const express = require('express');
const fs = require('fs');
const path = require('path');
const vm = require('vm');
const { BrowserWindow, ipcMain, shell } = require('electron');

const app = express();
// ruleid: parapet.javascript.express-static-of-root
app.use(express.static(__dirname));
// ruleid: parapet.javascript.express-static-of-root
app.use('/files', express.static('.'));
// ok: parapet.javascript.express-static-of-root
app.use(express.static('public'));
// ok: parapet.javascript.express-static-of-root
app.use(express.static(path.join(__dirname, 'public')));
// ruleid: parapet.javascript.session-hard-coded-secret
app.use(session({ secret: 'correct horse', resave: false }));
// ruleid: parapet.javascript.session-hard-coded-secret
app.use(cookieParser('correct horse'));
// ok: parapet.javascript.session-hard-coded-secret
app.use(session({ secret: process.env.SESSION_SECRET, resave: false }));
// ok: parapet.javascript.session-hard-coded-secret
app.use(cookieParser());
// ruleid: parapet.javascript.session-cookie-not-secure
app.use(session({ secret: key, cookie: { secure: false } }));
// ok: parapet.javascript.session-cookie-not-secure
app.use(session({ secret: key, cookie: { secure: true } }));
// ruleid: parapet.javascript.helmet-protection-off
app.use(helmet({ contentSecurityPolicy: false }));
// ruleid: parapet.javascript.helmet-protection-off
app.use(helmet({ hsts: false, noSniff: true }));
// ok: parapet.javascript.helmet-protection-off
app.use(helmet());
// ok: parapet.javascript.helmet-protection-off
app.use(helmet({ contentSecurityPolicy: { directives: { defaultSrc: ["'self'"] } } }));

app.use((error, req, res, next) => {
  // ruleid: parapet.javascript.express-error-details
  res.send(error.stack);
  // ruleid: parapet.javascript.express-error-details
  res.status(500).json({ message: 'failed', stack: error.stack });
  // ok: parapet.javascript.express-error-details
  res.status(500).json({ message: 'failed' });
  // ok: parapet.javascript.express-error-details
  console.error(error.stack);
  // ruleid: parapet.javascript.session-cookie-not-secure
  res.cookie('session', id, { httpOnly: true, secure: false });
  // ok: parapet.javascript.session-cookie-not-secure
  res.cookie('session', id, { httpOnly: true, secure: true });
});

// ruleid: parapet.javascript.jwt-hard-coded-key
jwt.sign({ sub: 1 }, 'correct horse');
// ruleid: parapet.javascript.jwt-hard-coded-key
jwt.verify(token, 'correct horse', { algorithms: ['HS256'] });
// ok: parapet.javascript.jwt-hard-coded-key
jwt.sign({ sub: 1 }, process.env.JWT_KEY);
// ok: parapet.javascript.jwt-hard-coded-key
jwt.verify(token, publicKey, { algorithms: ['ES256'] });

function list(folder, name) {
  // ruleid: parapet.javascript.child-process-shell
  child_process.exec(`ls ${folder}`, done);
  // ruleid: parapet.javascript.child-process-shell
  child_process.execSync('ls ' + folder);
  // ok: parapet.javascript.child-process-shell
  child_process.execFile('ls', [folder], done);
  // ok: parapet.javascript.child-process-shell
  child_process.exec('ls /tmp', done);
}

app.post('/run', (req, res) => {
  // ruleid: parapet.javascript.require-from-request
  require('./plugins/' + req.params.name);
  // ruleid: parapet.javascript.require-from-request
  import(req.query.module);
  // ok: parapet.javascript.require-from-request
  require('./plugins/' + path.basename(req.params.name));
  // ok: parapet.javascript.require-from-request
  require('./plugins/one');
  // ruleid: parapet.javascript.regex-from-request
  new RegExp(req.query.pattern);
  // ruleid: parapet.javascript.regex-from-request
  new RegExp('^' + req.body.prefix, 'i');
  // ok: parapet.javascript.regex-from-request
  new RegExp(escapeRegExp(req.query.text));
  // ok: parapet.javascript.regex-from-request
  new RegExp('^[a-z]+$').test(req.query.text);
  // ruleid: parapet.javascript.template-from-request
  ejs.render(req.body.template, {});
  // ruleid: parapet.javascript.template-from-request
  handlebars.compile('<p>' + req.query.name + '</p>');
  // ok: parapet.javascript.template-from-request
  ejs.render('<p><%= name %></p>', { name: req.query.name });
  // ok: parapet.javascript.template-from-request
  handlebars.compile(page)({ name: req.query.name });
  // ruleid: parapet.javascript.template-file-from-request
  res.render(req.query.page);
  // ruleid: parapet.javascript.template-file-from-request
  res.render('profile', req.query);
  // ok: parapet.javascript.template-file-from-request
  res.render('profile', { name: req.query.name });
  // ok: parapet.javascript.template-file-from-request
  res.render('profile');
  // ruleid: parapet.javascript.mass-assignment-request
  User.create(req.body);
  // ruleid: parapet.javascript.mass-assignment-request
  Object.assign(user, req.body);
  // ok: parapet.javascript.mass-assignment-request
  User.create({ name: req.body.name });
  // ok: parapet.javascript.mass-assignment-request
  new CreateUserDto(req.body);
  // ruleid: parapet.javascript.unsafe-deserialization-request
  serialize.unserialize(req.cookies.profile);
  const raw = Buffer.from(req.body.state, 'base64');
  // ruleid: parapet.javascript.unsafe-deserialization-request
  v8.deserialize(raw);
  // ok: parapet.javascript.unsafe-deserialization-request
  JSON.parse(req.cookies.profile);
  // ok: parapet.javascript.unsafe-deserialization-request
  v8.deserialize(fs.readFileSync('cache'));
  // ruleid: parapet.javascript.sequelize-operators-from-request
  User.findAll({ where: req.query });
  // ruleid: parapet.javascript.sequelize-operators-from-request
  User.destroy({ where: req.body, limit: 1 });
  // ok: parapet.javascript.sequelize-operators-from-request
  User.findAll({ where: { name: String(req.query.name) } });
  // ok: parapet.javascript.sequelize-operators-from-request
  User.findAll({ where: filter });
});

// ruleid: parapet.javascript.xml-external-entities
libxmljs.parseXml(text, { noent: true });
// ruleid: parapet.javascript.xml-external-entities
libxmljs.parseXmlString(text, { noblanks: true, noent: true });
// ok: parapet.javascript.xml-external-entities
libxmljs.parseXml(text, { noent: false });
// ok: parapet.javascript.xml-external-entities
libxmljs.parseXml(text);

function unpack(folder, entry, file) {
  // ruleid: parapet.javascript.zip-slip
  entry.pipe(fs.createWriteStream(path.join(folder, entry.path)));
  // ruleid: parapet.javascript.zip-slip
  fs.writeFileSync(path.join(folder, entry.entryName), entry.getData());
  // ok: parapet.javascript.zip-slip
  entry.pipe(fs.createWriteStream(path.join(folder, path.basename(entry.path))));
  // ok: parapet.javascript.zip-slip
  fs.createWriteStream(path.join(folder, 'one.txt'));
}

// ruleid: parapet.javascript.tls-old-version
https.createServer({ key, cert, secureProtocol: 'TLSv1_method' });
// ruleid: parapet.javascript.tls-old-version
tls.connect({ host, minVersion: 'TLSv1' });
// ok: parapet.javascript.tls-old-version
https.createServer({ key, cert, secureProtocol: 'TLS_method' });
// ok: parapet.javascript.tls-old-version
tls.connect({ host, minVersion: 'TLSv1.2' });

function encrypt(key, iv, body, given) {
  // ruleid: parapet.javascript.constant-iv
  crypto.createCipheriv('aes-256-cbc', key, '0123456789abcdef');
  // ruleid: parapet.javascript.constant-iv
  crypto.createCipheriv('aes-256-cbc', key, Buffer.alloc(16, 0));
  // ok: parapet.javascript.constant-iv
  crypto.createCipheriv('aes-256-cbc', key, crypto.randomBytes(16));
  // ok: parapet.javascript.constant-iv
  crypto.createCipheriv('aes-256-cbc', key, iv);
  // ruleid: parapet.javascript.hard-coded-cipher-key
  crypto.createCipheriv('aes-256-gcm', '01234567890123456789012345678901', iv);
  // ruleid: parapet.javascript.hard-coded-cipher-key
  CryptoJS.AES.encrypt(body, 'correct horse');
  // ok: parapet.javascript.hard-coded-cipher-key
  crypto.createCipheriv('aes-256-gcm', key, iv);
  // ok: parapet.javascript.hard-coded-cipher-key
  CryptoJS.AES.encrypt(body, process.env.KEY);
  // ruleid: parapet.javascript.signature-compared-by-time
  if (given === crypto.createHmac('sha256', key).update(body).digest('hex')) return true;
  // ruleid: parapet.javascript.signature-compared-by-time
  if (crypto.createHmac('sha256', key).update(body).digest('hex') !== given) return false;
  // ok: parapet.javascript.signature-compared-by-time
  if (crypto.timingSafeEqual(given, crypto.createHmac('sha256', key).update(body).digest())) return true;
  // ok: parapet.javascript.signature-compared-by-time
  return given === crypto.createHash('sha256').update(body).digest('hex');
}

// ruleid: parapet.javascript.world-writable-file
fs.chmodSync('data.db', 0o777);
// ruleid: parapet.javascript.world-writable-file
fs.writeFileSync('data.db', data, { mode: 0o666 });
// ok: parapet.javascript.world-writable-file
fs.chmodSync('data.db', 0o600);
// ok: parapet.javascript.world-writable-file
fs.chmodSync('tool', 0o755);
// ruleid: parapet.javascript.electron-node-in-page
new BrowserWindow({ webPreferences: { nodeIntegration: true } });
// ruleid: parapet.javascript.electron-node-in-page
new BrowserWindow({ width: 800, webPreferences: { preload, contextIsolation: false } });
// ok: parapet.javascript.electron-node-in-page
new BrowserWindow({ webPreferences: { nodeIntegration: false, contextIsolation: true } });
// ok: parapet.javascript.electron-node-in-page
new BrowserWindow({ width: 800 });
ipcMain.on('open', (event, url) => {
  // ruleid: parapet.javascript.electron-open-external
  shell.openExternal(url);
});
ipcMain.handle('show', (event, address) => {
  // ruleid: parapet.javascript.electron-open-external
  return shell.openExternal(address);
});
ipcMain.on('open-safely', (event, url) => {
  if (url.startsWith('https://')) {
    // ok: parapet.javascript.electron-open-external
    shell.openExternal(url);
  }
});
// ok: parapet.javascript.electron-open-external
shell.openExternal('https://example.com');
// ruleid: parapet.javascript.graphql-schema-open
new ApolloServer({ schema, introspection: true });
// ruleid: parapet.javascript.graphql-schema-open
new ApolloServer({ typeDefs, playground: true });
// ok: parapet.javascript.graphql-schema-open
new ApolloServer({ schema, introspection: process.env.NODE_ENV !== 'production' });
// ok: parapet.javascript.graphql-schema-open
new ApolloServer({ schema });
// ruleid: parapet.javascript.secret-in-log
console.log('login', user.password);
// ruleid: parapet.javascript.secret-in-log
logger.info(`token ${process.env.API_TOKEN}`);
// ok: parapet.javascript.secret-in-log
console.log('login', user.name);
// ok: parapet.javascript.secret-in-log
logger.info('password changed');
