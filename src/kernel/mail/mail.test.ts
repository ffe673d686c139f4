import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Secret } from '#kernel/crypto/secret.ts';
import { Mailbox } from '#test/support/world/mailbox.ts';
import { Mail } from './mail.ts';

let mailbox: Mailbox;
before(async () => {
  mailbox = await Mailbox.open();
});
after(() => mailbox.close());

const mailAt = (url: string) => new Mail({ url: new Secret(url), from: 'Parapet <parapet@example.com>' });
const letter = { to: 'grace@example.com', subject: 'Hello', text: 'Line one\nLine two ✓' };

test('a message arrives at one address, from the configured sender', async () => {
  await mailAt(mailbox.url).send(letter);
  const [received] = mailbox.take();
  assert.deepEqual([received?.from, received?.to], ['parapet@example.com', ['grace@example.com']]);
  assert.match(received?.text ?? '', /^Subject: Hello\r?$/m);
});

test('an address or a subject cannot inject a second recipient or header', async () => {
  const subject = 'Join\r\nBcc: eve@example.com\r\n\r\nBody';
  await mailAt(mailbox.url).send({ ...letter, subject });
  await mailAt(mailbox.url)
    .send({ ...letter, to: 'grace@example.com, eve@example.com' })
    .catch(() => undefined);
  await mailAt(mailbox.url)
    .send({ ...letter, to: 'grace@example.com\r\nBcc: eve@example.com' })
    .catch(() => undefined);
  for (const { to, text } of mailbox.take()) {
    assert.equal(to.includes('eve@example.com'), false);
    assert.doesNotMatch(text, /^Bcc:/m);
  }
});

test('without a mail server, sending fails with an explanation', async () => {
  const off = mailAt('');
  assert.equal(off.isOn, false);
  await assert.rejects(off.send(letter), /switched off/);
});

test('an unreachable server is an error, without the credentials of the URL', async () => {
  const mail = mailAt('smtp://user:hunter2-secret@127.0.0.1:1');
  await assert.rejects(
    mail.send(letter),
    (error: Error) => !JSON.stringify([error.message, error]).includes('hunter2'),
  );
});

test('a recipient that the server refuses is an error, so that the job is retried', async () => {
  mailbox.refusal = 'No such user here';
  await assert.rejects(mailAt(mailbox.url).send(letter), /No such user here/);
  mailbox.refusal = '';
});
