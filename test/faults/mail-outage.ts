import { Mailbox } from '#test/support/world/mailbox.ts';
import { Api } from './api.ts';
import { type Campaign, type CampaignOptions, type FaultFigure, sleep } from './campaign.ts';
import { Installation } from './installation.ts';

const PASSWORD = 'mail comes back later 7';
const ANSWER_WITHIN_MS = 5000;
const DELIVER_WITHIN_MS = 180_000;
/** Long enough for several attempts. */
const OUTAGE_MS = 3000;
/** A host whose name never resolves, as without DNS. */
const NO_HOST = 'smtp://mail.invalid:25';

/** Invites people while the mail server is gone: requests do not wait for it, and each letter arrives once. */
export const mailOutage: Campaign = {
  defaultCycles: 5,
  async run({ cycles, log }: CampaignOptions): Promise<FaultFigure[]> {
    const wrong: string[] = [];
    let slowestMs = 0;
    const first = await Mailbox.open();
    const { url } = first;
    const port = Number(new URL(url).port);
    await first.close();
    const installation = await Installation.make({ PARAPET_SETUP_ADMIN_PASSWORD: PASSWORD });
    const invite = async (api: Api, emails: string[]) => {
      const body = { email: 'admin@example.com', password: PASSWORD };
      const session = await api.ask({ method: 'POST', path: '/api/auth/sessions', token: '', body });
      const start = performance.now();
      const path = '/api/onboarding/deployments/parapet/invite_members';
      const token = String(session.body['accessToken']);
      const { status } = await api.ask({ method: 'POST', path, token, body: { emails } });
      slowestMs = Math.max(slowestMs, performance.now() - start);
      if (status !== 200) wrong.push(`an invitation was answered with ${status}`);
    };
    try {
      let program = await installation.start({ settings: { PARAPET_SMTP_URL: NO_HOST } });
      let api = new Api(program.baseUrl);
      const unresolved = ['without-dns@example.com'];
      await invite(api, unresolved);
      api.close();
      await sleep(OUTAGE_MS);
      await program.end('SIGTERM');
      program = await installation.start({ settings: { PARAPET_SMTP_URL: url } });
      api = new Api(program.baseUrl);
      for (let cycle = 1; cycle <= cycles; cycle++) {
        const emails = [1, 2, 3].map((person) => `person-${cycle}-${person}@example.com`);
        await invite(api, emails);
        await sleep(OUTAGE_MS);
        const mailbox = await Mailbox.open(port);
        const expected = cycle === 1 ? [...unresolved, ...emails] : emails;
        const received = await receive(mailbox, expected.length);
        await mailbox.close();
        if (received.toSorted().join() !== expected.toSorted().join())
          wrong.push(`cycle ${cycle}: ${received.length} letters instead of ${expected.length}`);
        log(`cycle ${cycle}: ${received.length} letters`);
      }
      api.close();
      await program.end('SIGTERM');
    } finally {
      await installation.remove();
    }
    return [
      {
        id: 'F13 mail-outage',
        expected: `each letter arrives once, requests are answered within ${ANSWER_WITHIN_MS} ms, in ${cycles} outages`,
        actual: `${wrong.length} wrong, slowest request ${Math.round(slowestMs)} ms`,
        isMet: wrong.length === 0 && slowestMs <= ANSWER_WITHIN_MS,
        details: wrong,
      },
    ];
  },
};

/** The recipients of the letters that arrive, until there are enough, and for a moment longer. */
async function receive(mailbox: Mailbox, count: number): Promise<string[]> {
  const recipients: string[] = [];
  const deadline = performance.now() + DELIVER_WITHIN_MS;
  while (recipients.length < count && performance.now() < deadline) {
    await sleep(200);
    recipients.push(...mailbox.take().flatMap(({ to }) => to));
  }
  await sleep(1000);
  return [...recipients, ...mailbox.take().flatMap(({ to }) => to)];
}
