import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { notify } from '#domain/notifications/store.ts';
import { automationOf, condition, considerAll, deliveriesOf, drain } from '#test/support/factories/automations.ts';
import { makeFindingNew, requestException } from '#test/support/factories/inbox.ts';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { Mailbox, type ReceivedMail } from '#test/support/world/mailbox.ts';
import { type TestDeployment, type TestUser, World } from '#test/support/world/world.ts';
import { sendDueDigests } from './digest-jobs.ts';
import { saveMailSettings } from './mail-settings.ts';
import { tellOfValidSecrets } from './tell-secrets.ts';

let world: World;
let mailbox: Mailbox;
let place: TestDeployment;
let scans: ProjectScans;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const later = (ms: number) => new Date(Date.now() + ms);

before(async () => {
  mailbox = await Mailbox.open();
  world = await World.start({ PARAPET_SMTP_URL: mailbox.url });
});
after(async () => {
  await world.stop();
  await mailbox.close();
});
beforeEach(async () => {
  place = await world.deployment();
  scans = await ProjectScans.start(world, place);
  mailbox.refusal = '';
  mailbox.take();
});

const scene = () => ({ world, place });
const found = (name: string, more: Parameters<typeof makeReportedFinding>[0]['more'] = {}) =>
  makeReportedFinding({ path: `src/${name}.js`, line: 1, code: `eval(${name})`, context: `// ${name}`, more });
const mailTo = (...people: string[]) =>
  automationOf(scene(), {
    name: 'Tell people',
    conditions: [condition('SEVERITY', 'high')],
    actions: [{ type: 'ACTION_TYPE_EMAIL', config: { recipients: people.join(', ') } }],
  });

/** Sends what waits for all mailboxes. */
async function drainAll(at = later(0)): Promise<ReceivedMail[]> {
  const rows = await world.queryAsOwner<{ id: string }>(
    `select id from destination where deployment_id = $1 and kind = 'mail' order by id`,
    [place.id],
  );
  for (const { id } of rows) await drain(scene(), id, at);
  // Long lines of the text are folded.
  return mailbox.take().map((mail) => ({ ...mail, text: mail.text.replaceAll(/=\r?\n/g, '') }));
}
const recipientsOf = (mails: readonly ReceivedMail[]) => mails.flatMap(({ to }) => to).sort();
const headerOf = ({ text }: ReceivedMail, name: string) =>
  new RegExp(`^${name}:(.*(?:\\r?\\n[ \\t].*)*)`, 'mi')
    .exec(text)?.[1]
    ?.replaceAll(/\r?\n[ \t]/g, '')
    .trim() ?? '';
const reasons = async () => (await deliveriesOf(scene())).map(({ state, reason }) => `${state}: ${reason ?? ''}`);
const digests = (at: Date) =>
  world.inDeployment(place, (tx) => sendDueDigests(tx, world.assembly.services, { deployment: place.id, now: at }));
const setRhythm = (user: TestUser, change: Partial<Parameters<typeof saveMailSettings>[2]>) =>
  world.inDeployment(place, (tx) =>
    saveMailSettings(
      tx,
      { deployment: place.id, account: user.id },
      {
        ...{ findings: 'never', approvals: 'never', notices: 'never', validSecrets: true, incidents: true },
        ...{ automations: true, timeZone: 'UTC', hour: 8, weekday: 1, ...change },
      },
      later(0),
    ),
  );

describe('an automation that mails', () => {
  test('sends one mail to each member it names, about the findings that each may see', async () => {
    const [ann, bob] = [await world.member(place), await world.memberWithoutTeam(place)];
    await mailTo(ann.email, place.admin.email.toUpperCase(), bob.email);
    await mailTo(ann.email);
    await scans.scan([found('a'), found('b')]);
    await considerAll(scene());
    const mails = await drainAll();
    assert.deepEqual(recipientsOf(mails), [ann.email, place.admin.email].sort());
    const [mail] = mails.filter(({ to }) => to[0] === ann.email);
    assert.ok(mail);
    assert.match(headerOf(mail, 'Subject'), /2 new findings in/);
    assert.equal(headerOf(mail, 'Auto-Submitted'), 'auto-generated');
    assert.match(mail.text, /Content-Type: text\/plain/);
    assert.ok(mail.text.indexOf('text/plain') < mail.text.indexOf('text/html'), 'the text comes first');
    assert.doesNotMatch(mail.text, /<img/);
    assert.ok((await reasons()).includes('skipped: The reader may see none of its findings.'));
  });

  test('reaches nobody but members and proved domains, and says whom it left out', async () => {
    await world.queryAsOwner(
      `insert into deployment_domain (deployment_id, domain, proved_at) values ($1, 'acme.test', now())`,
      [place.id],
    );
    await mailTo('stranger@evil.test', 'security@acme.test');
    await scans.scan([found('a')]);
    await considerAll(scene());
    const mails = await drainAll();
    assert.deepEqual(recipientsOf(mails), ['security@acme.test']);
    assert.equal(headerOf(mails[0] ?? assert.fail(), 'List-Unsubscribe'), '', 'a list cannot be ended by one reader');
    assert.ok((await reasons()).some((reason) => /^skipped: stranger@evil.test: neither a member/.test(reason)));
  });

  test('is ended by one click, which is a POST; a GET only asks', async () => {
    const ann = await world.member(place);
    await mailTo(ann.email);
    await scans.scan([found('a')]);
    await considerAll(scene());
    const [mail] = await drainAll();
    assert.ok(mail);
    assert.equal(headerOf(mail, 'List-Unsubscribe-Post'), 'List-Unsubscribe=One-Click');
    const url = headerOf(mail, 'List-Unsubscribe').slice(1, -1);
    const page = await fetch(url);
    assert.match(await page.text(), /<form method="post">/);
    await scans.scan([found('a'), found('b')]);
    await considerAll(scene());
    assert.equal((await drainAll()).length, 1, 'a program that followed the link ended nothing');
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const ended = await fetch(url, { method: 'POST', headers: type, body: 'List-Unsubscribe=One-Click' });
    assert.equal(ended.status, 200);
    await scans.scan([found('a'), found('b'), found('c')]);
    await considerAll(scene());
    assert.equal((await drainAll()).length, 0);
    assert.equal((await fetch(`${url}x`, { method: 'POST' })).status, 404);
  });

  test('to somebody who left, or whose account is disabled, sends nothing', async () => {
    const [ann, bob] = [await world.member(place), await world.member(place)];
    await mailTo(ann.email, bob.email);
    await scans.scan([found('a')]);
    await considerAll(scene());
    await world.queryAsOwner('delete from membership where account_id = $1', [ann.id]);
    await world.queryAsOwner('update account set disabled_at = now() where id = $1', [bob.id]);
    assert.deepEqual(await drainAll(), []);
    assert.deepEqual(new Set(await reasons()), new Set(['skipped: The reader is no member any more.']));
  });
});

describe('an address that the mail server refuses', () => {
  test('for good is suspended after the third time within a week, and its owner is told in the product', async () => {
    const ann = await world.member(place);
    await mailTo(ann.email);
    mailbox.refusal = 'no such mailbox';
    for (const names of [['a'], ['a', 'b'], ['a', 'b', 'c'], ['a', 'b', 'c', 'd']]) {
      await scans.scan(names.map((name) => found(name)));
      await considerAll(scene());
      await drainAll();
    }
    const states = await reasons();
    assert.equal(states.filter((one) => one.startsWith('failed: The mail server answered: 550')).length, 3);
    assert.equal(states.at(-1), 'skipped: The mail server refused the address repeatedly.');
    const notices = await world.queryAsOwner<{ account_id: string }>(
      'select account_id from notification where deployment_id = $1',
      [place.id],
    );
    assert.deepEqual(
      notices.map(({ account_id: account }) => account),
      [ann.id],
    );
  });
});

describe('a digest', () => {
  test('has what is new for the reader, once, and is not sent if nothing is', async () => {
    const [ann, bob] = [await world.member(place), await world.memberWithoutTeam(place)];
    for (const user of [ann, bob]) await setRhythm(user, { findings: 'daily', notices: 'daily', approvals: 'daily' });
    await setRhythm(place.admin, {});
    await scans.scan([found('a'), found('b', { severity: 'low' })]);
    const findings = await scans.findings();
    for (const { id } of findings) await makeFindingNew(scene(), id);
    const [finding] = findings;
    await requestException(scene(), finding?.id ?? '');
    const tell = (title: string, isAdminOnly: boolean) =>
      world.inDeployment(place, (tx) =>
        notify(tx, { deployment: place.id, severity: 'SEVERITY_WARNING', title, description: '', isAdminOnly }),
      );
    await tell('Only for administrators', true);
    assert.equal(await digests(later(0)), 0, 'not before it is due');
    const at = later(2 * DAY_MS);
    assert.equal(await digests(at), 1);
    const [mail, ...others] = await drainAll(at);
    assert.ok(mail && others.length === 0);
    assert.deepEqual(mail.to, [ann.email]);
    assert.match(mail.text, /1 high, 1 low/);
    assert.match(mail.text, /Requests that wait for a decision/);
    assert.doesNotMatch(mail.text, /Only for administrators/);
    assert.equal(await digests(later(4 * DAY_MS)), 0, 'nothing is new');
  });

  test('of warnings comes at once, to administrators what concerns them', async () => {
    const ann = await world.member(place);
    await setRhythm(ann, { notices: 'now' });
    const tell = { deployment: place.id, severity: 'SEVERITY_ERROR' as const, title: 'Webhook fails', description: '' };
    await world.inDeployment(place, (tx) => notify(tx, { ...tell, isAdminOnly: true }));
    const at = later(1000);
    assert.equal(await digests(at), 1);
    const mails = await drainAll(at);
    assert.deepEqual(recipientsOf(mails), [place.admin.email]);
    assert.match(mails[0]?.text ?? '', /Webhook fails/);
    assert.equal(await digests(later(2000)), 0);
  });
});

describe('a secret that works', () => {
  test('is mailed at once to everybody who sees the project and wants it', async () => {
    const [ann, bob, eve] = [
      await world.member(place),
      await world.member(place),
      await world.memberWithoutTeam(place),
    ];
    await setRhythm(bob, { validSecrets: false });
    await setRhythm(eve, {});
    await scans.scan([found('a')]);
    await world.queryAsOwner(
      `update finding set product = 'secrets', validation = 'confirmed_valid' where deployment_id = $1`,
      [place.id],
    );
    const [batch] = await world.queryAsOwner<{ id: string }>(
      'select id from finding_batch where deployment_id = $1 order by id desc limit 1',
      [place.id],
    );
    const order = { deployment: place.id, batch: batch?.id ?? '', at: later(0) };
    assert.equal(await world.inDeployment(place, (tx) => tellOfValidSecrets(tx, order)), 2);
    const mails = await drainAll();
    assert.deepEqual(recipientsOf(mails), [ann.email, place.admin.email].sort());
    assert.match(headerOf(mails[0] ?? assert.fail(), 'Subject'), /secrets that work/);
  });
});

test('the same mail has the same id in every attempt', async () => {
  const ann = await world.member(place);
  await mailTo(ann.email);
  await scans.scan([found('a')]);
  await considerAll(scene());
  const [mail] = await drainAll();
  const [delivery] = await deliveriesOf(scene());
  assert.equal(headerOf(mail ?? assert.fail(), 'Message-ID'), `<msg_${place.id}_${delivery?.id}_0@127.0.0.1>`);
});
