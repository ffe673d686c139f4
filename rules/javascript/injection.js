const child = require('child_process');
const { exec, execFile } = require('child_process');
const vm = require('vm');
const _ = require('lodash');

app.get('/ping', (req, res) => {
  const host = req.query.host;
  // ruleid: parapet.javascript.command-injection-request
  child.exec('ping -c 1 ' + host);
  // ruleid: parapet.javascript.command-injection-request
  exec(`ping -c 1 ${host}`, done);
  // ruleid: parapet.javascript.command-injection-request
  child.spawn(`ping ${host}`, [], { shell: true });
  // ok: parapet.javascript.command-injection-request
  execFile('ping', ['-c', '1', host], done);
  // ok: parapet.javascript.command-injection-request
  child.spawn('ping', ['-c', '1', host]);
  // ok: parapet.javascript.command-injection-request
  child.exec('ping -c ' + Number(req.query.times));
  // ok: parapet.javascript.command-injection-request
  const parts = /a(b)/.exec(host);
});

app.post('/calculate', (req, res) => {
  // ruleid: parapet.javascript.code-injection-request
  const sum = eval(req.body.formula);
  // ruleid: parapet.javascript.code-injection-request
  const made = new Function('x', `return ${req.body.formula}`);
  // ruleid: parapet.javascript.code-injection-request
  vm.runInNewContext(req.body.formula, {});
  // ok: parapet.javascript.code-injection-request
  const data = JSON.parse(req.body.text);
  // ok: parapet.javascript.code-injection-request
  vm.runInNewContext('1 + 1', { input: req.body.formula });
});

app.post('/login', async (req, res) => {
  // ruleid: parapet.javascript.nosql-injection-request
  await User.findOne({ name: req.body.name, password: 'x' });
  // ruleid: parapet.javascript.nosql-injection-request
  await users.deleteMany(req.body);
  // ok: parapet.javascript.nosql-injection-request
  await User.findOne({ name: String(req.body.name) });
  // ok: parapet.javascript.nosql-injection-request
  await User.findOne({ _id: req.params.id });
  // ok: parapet.javascript.nosql-injection-request
  await User.findOne({ name: 'admin' });
});

app.put('/settings', (req, res) => {
  // ruleid: parapet.javascript.prototype-pollution-request
  _.merge(settings, req.body);
  // ruleid: parapet.javascript.prototype-pollution-request
  _.defaultsDeep(settings, req.body);
  // ok: parapet.javascript.prototype-pollution-request
  _.merge(settings, schema.parse(req.body));
  // ok: parapet.javascript.prototype-pollution-request
  _.merge(settings, { theme: 'dark' });
});
