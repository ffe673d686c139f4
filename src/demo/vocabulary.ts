/** Words for made-up code, paths and notes. */

export const NOUNS = (
  'order invoice basket payment refund customer account profile session device voucher coupon catalog product stock ' +
  'price tax shipment parcel address courier review rating wishlist loyalty reward campaign banner mail template ' +
  'message channel subscription plan quota ledger balance transfer payout mandate dispute document contract ' +
  'signature upload archive export report metric event webhook ticket agent queue batch schedule region tenant'
).split(' ');

export const VERBS = (
  'load save find list merge import export sync render send build check update publish archive restore resolve ' +
  'rotate prepare confirm'
).split(' ');

/** The titles of rules of all languages, by the last part of their ids. */
export const TITLES: Readonly<Record<string, string>> = {
  'weak-random-token': 'Token from a predictable random number',
  'sql-injection-request': 'SQL injection from a request',
  'sql-injection-concat': 'SQL statement put together from text',
  'sql-injection-format': 'SQL statement put together from text',
  'command-injection-request': 'Command injection from a request',
  'shell-command-format': 'Shell command put together from text',
  'code-injection-request': 'Code injection from a request',
  'path-traversal-request': 'Path traversal from a request',
  'xss-response-request': 'Cross-site scripting in a response',
  'dom-xss-location': 'Cross-site scripting from the address',
  'open-redirect-request': 'Open redirect from a request',
  'ssrf-request': 'Server-side request forgery',
  'nosql-injection-request': 'NoSQL injection from a request',
  'prototype-pollution-request': 'Prototype pollution from a request',
  'cookie-readable-by-script': 'Cookie that scripts can read',
  'cookie-without-secure': 'Cookie that travels unencrypted',
  'cors-credentials-any-origin': 'Credentials shared with any origin',
  'post-message-any-origin': 'Message to any origin',
  'fast-password-hash': 'Password in a fast hash',
  'tls-verification-off': 'Certificate that is not checked',
  'trust-all-certificates': 'Certificate that is not checked',
  'tls-old-version': 'Old version of TLS',
  'jwt-unverified': 'Token with an unchecked signature',
  'weak-cipher': 'Broken cipher or mode',
  'unsafe-deserialization-request': 'Objects made from a request',
  'unsafe-yaml-load': 'Objects made from YAML',
  'xml-external-entities': 'XML that reads other files',
  'archive-extract-all': 'Archive that writes outside of its folder',
  'temporary-file-name': 'Temporary file that others can take',
  'template-injection-request': 'Template injection from a request',
  'flask-debug': 'Debugger open to the network',
  'aws-secret-access-key': 'AWS secret access key',
  'github-token': 'GitHub token',
  'gitlab-token': 'GitLab token',
  'slack-token': 'Slack token',
  'stripe-live-key': 'Stripe live key',
  'google-api-key': 'Google API key',
  'url-with-password': 'Password in an address',
  'card-number-in-log': 'Card number in the log',
  'internal-host-name': 'Internal host name in the code',
  'feature-flag-left': 'Feature flag left behind',
};

export const titleOf = (rule: string): string => TITLES[rule.split('.').at(-1) ?? ''] ?? rule;

export const SECRET_TYPES: Readonly<Record<string, string>> = {
  'aws-secret-access-key': 'AWS',
  'github-token': 'GitHub',
  'gitlab-token': 'GitLab',
  'slack-token': 'Slack',
  'stripe-live-key': 'Stripe',
  'google-api-key': 'Google',
  'url-with-password': 'Database',
};

export const NOTES = {
  falsePositive: [
    'Not a secret: the value only names an element of the page.',
    'Used for a key of a list, never as a credential. The rule cannot know.',
    'Same as the others of this rule: ids of widgets, not tokens.',
  ],
  acceptableRisk: [
    'Only reachable from the internal network, and the gateway checks the caller.',
    'Runs in the test environment alone; the image is not deployed.',
    'The input is a list that we write ourselves. Looked at with the team.',
  ],
  noTime: ['Goes away with the new portal next quarter.', 'Planned, but not in this half of the year.'],
  reviewing: ['Looking into it this week.', 'Asked the owners whether this path is still used.'],
  fixing: ['Ticket is open, fix is in review.', 'Taken into the sprint.', 'Prepared statement is ready, needs a test.'],
  request: [
    'The service is behind the gateway, which validates this parameter.',
    'We accept this until the library is replaced in March.',
    'Generated code; the generator was fixed, this copy goes with the next release.',
    'Only administrators can reach this page.',
  ],
} as const;
