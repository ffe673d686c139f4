import type { MailTopic } from '#domain/mailing/unsubscribe-token.ts';
import { RawReply } from '#kernel/http/pipeline/raw-reply.ts';

const TOPICS: Record<MailTopic, string> = {
  digest: 'digests',
  validSecrets: 'mails about secrets that work',
  incidents: 'mails about supply-chain incidents',
  automations: 'mails that automations send to you',
};

const page = (title: string, content: string): RawReply =>
  new RawReply({
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
    },
    body:
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>` +
      `<meta name="viewport" content="width=device-width"></head><body><h1>${title}</h1>${content}</body></html>`,
  });

/** Asks before anything changes: the address of the page is the address of the form. */
export const confirmationPage = (topic: MailTopic): RawReply =>
  page(
    'Unsubscribe',
    `<p>You will get no more ${TOPICS[topic]}.</p><form method="post"><button>Unsubscribe</button></form>`,
  );

export const endedPage = (topic: MailTopic): RawReply =>
  page('Unsubscribed', `<p>You get no more ${TOPICS[topic]}. Your settings for notifications can change this.</p>`);
