const fs = require('fs');
const path = require('path');

app.get('/files/:name', (req, res) => {
  // ruleid: parapet.javascript.path-traversal-request
  fs.readFile(path.join('/srv/files', req.params.name), done);
  const name = req.query.name;
  // ruleid: parapet.javascript.path-traversal-request
  res.sendFile('/srv/files/' + name);
  // ruleid: parapet.javascript.path-traversal-request
  fs.promises.unlink(`/srv/files/${name}`);
  // ok: parapet.javascript.path-traversal-request
  fs.readFile(path.join('/srv/files', path.basename(name)), done);
  // ok: parapet.javascript.path-traversal-request
  res.sendFile(name, { root: '/srv/files' });
  // ok: parapet.javascript.path-traversal-request
  fs.writeFile('/srv/files/log', req.body.text, done);
});
