import { z } from 'zod';
import { id, oneOf, timestamp } from '#kernel/contract/proto-fields.ts';

/** What came of a sign-in with an identity provider. */
export const SsoAttempt = z.object({
  id: id('SsoAttempt'),
  providerId: id('SsoProvider'),
  at: timestamp(),
  mode: oneOf(['sign-in', 'test', 'link']),
  failedCheck: z.string().describe('Empty if it succeeded.'),
  detail: z.string(),
  email: z.string(),
  subject: z.string(),
  groups: z.array(z.string()),
  role: z.string(),
  teams: z.array(z.string()).describe('The names of the teams that its groups give.'),
  address: z.string(),
  claims: z.string().describe('As the provider sent them, as JSON; only of tests.'),
});
export type SsoAttempt = z.output<typeof SsoAttempt>;

/** What the members of a group at the identity provider get. */
export const SsoGroupRule = z.object({
  group: z.string().min(1).max(256),
  role: oneOf(['ORG_ROLE_ADMIN', 'ORG_ROLE_MEMBER', 'ORG_ROLE_READONLY']).optional(),
  teamIds: z.array(id('Team')).max(50),
});
export type SsoGroupRule = z.output<typeof SsoGroupRule>;

/** A domain of e-mail addresses. Only proved domains sign people in. */
export const SsoDomain = z.object({
  domain: z.string(),
  provedAt: timestamp().optional(),
  recordName: z.string(),
  recordValue: z.string(),
});
export type SsoDomain = z.output<typeof SsoDomain>;
