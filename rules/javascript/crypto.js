const crypto = require('crypto');
const https = require('https');
const jwt = require('jsonwebtoken');

// ruleid: parapet.javascript.tls-verification-off
const agent = new https.Agent({ keepAlive: true, rejectUnauthorized: false });
// ruleid: parapet.javascript.tls-verification-off
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
// ok: parapet.javascript.tls-verification-off
const other = new https.Agent({ keepAlive: true, ca: own });
// ok: parapet.javascript.tls-verification-off
const strict = new https.Agent({ rejectUnauthorized: true });

function encrypt(key, iv) {
  // ruleid: parapet.javascript.weak-cipher
  crypto.createCipheriv('des-ede3-cbc', key, iv);
  // ruleid: parapet.javascript.weak-cipher
  crypto.createCipheriv('aes-256-ecb', key, null);
  // ok: parapet.javascript.weak-cipher
  crypto.createCipheriv('chacha20-poly1305', key, iv);
  // ok: parapet.javascript.weak-cipher
  return crypto.createCipheriv('aes-256-gcm', key, iv);
}

function store(user, password, content) {
  // ruleid: parapet.javascript.fast-password-hash
  crypto.createHash('md5').update(password).digest('hex');
  // ruleid: parapet.javascript.fast-password-hash
  crypto.createHash('sha256').update(user.salt + user.password).digest('hex');
  // ok: parapet.javascript.fast-password-hash
  crypto.createHash('sha256').update(content).digest('hex');
  // ok: parapet.javascript.fast-password-hash
  return crypto.scryptSync(password, user.salt, 64);
}

// ruleid: parapet.javascript.weak-random-token
const resetToken = Math.random().toString(36).slice(2);
// ruleid: parapet.javascript.weak-random-token
const sessionToken = 'x' + Math.random();
// ok: parapet.javascript.weak-random-token
const angle = Math.random() * 360;
// ok: parapet.javascript.weak-random-token
const token = crypto.randomUUID();

function who(text, key) {
  // ruleid: parapet.javascript.jwt-unverified
  jwt.verify(text, key, { algorithms: ['HS256', 'none'] });
  // ruleid: parapet.javascript.jwt-unverified
  jwt.verify(text, null);
  // ok: parapet.javascript.jwt-unverified
  jwt.verify(text, key);
  // ok: parapet.javascript.jwt-unverified
  return jwt.verify(text, key, { algorithms: ['HS256'] });
}
