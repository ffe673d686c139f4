/** A fictional person with an account in the demo that cannot sign in. */
export interface DemoAccount {
  key: string;
  name: string;
  role: 'ORG_ROLE_ADMIN' | 'ORG_ROLE_MEMBER' | 'ORG_ROLE_READONLY';
}

export const DEMO_ACCOUNTS = [
  { key: 'mara', name: 'Mara Lindqvist', role: 'ORG_ROLE_ADMIN' },
  { key: 'tomas', name: 'Tomás Herrera', role: 'ORG_ROLE_ADMIN' },
  { key: 'priya', name: 'Priya Raman', role: 'ORG_ROLE_MEMBER' },
  { key: 'jonas', name: 'Jonas Keller', role: 'ORG_ROLE_MEMBER' },
  { key: 'aiko', name: 'Aiko Tanabe', role: 'ORG_ROLE_MEMBER' },
  { key: 'ruth', name: 'Ruth Okafor', role: 'ORG_ROLE_READONLY' },
] as const satisfies readonly DemoAccount[];

export type DemoAccountKey = (typeof DEMO_ACCOUNTS)[number]['key'];

/** Each demo has its own accounts. The domain is reserved (RFC 2606), so mail to it reaches nobody. */
export const demoEmail = (key: DemoAccountKey, slug: string): string => `${key}@${slug}.example.com`;
