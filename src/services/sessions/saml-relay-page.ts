import { RawReply } from '#kernel/http/pipeline/raw-reply.ts';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Passes a response on to the console of the same browser. */
export const samlRelayPage = (provider: string, response: string): RawReply =>
  new RawReply({
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; script-src 'self'; frame-ancestors 'none'",
    },
    body:
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sign in</title></head><body>' +
      `<main><h1>Sign in</h1><p id="relay" data-provider="${escaped(provider)}" data-response="${escaped(response)}">` +
      'Signing you in. This page requires JavaScript.</p></main><script src="/assets/saml-relay.js"></script>' +
      '</body></html>',
  });
