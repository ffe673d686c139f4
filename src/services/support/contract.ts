import { z } from 'zod';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { deployment, name, oneOf, timestamp } from '#kernel/contract/proto-fields.ts';

export const MAX_CASES_PER_DAY = 100;
export const MAX_LISTED_CASES = 200;

export const SUPPORT_CASE_QUOTA = fault(
  'SUPPORT_CASE_QUOTA',
  409,
  'A deployment can open at most {most} support cases a day.',
  'Wait until tomorrow, or write to the administrators.',
);
export const ORGANIZATION_MISMATCH = fault(
  'ORGANIZATION_MISMATCH',
  400,
  'The organization does not belong to the deployment.',
  'Leave out `organizationId`, or send that of the deployment.',
);

export const SupportCaseType = oneOf(['TYPE_FEATURE_REQUEST', 'TYPE_BUG_FIX', 'TYPE_QUESTION']);
export const SupportCasePriority = oneOf(['PRIORITY_URGENT', 'PRIORITY_HIGH', 'PRIORITY_MEDIUM', 'PRIORITY_LOW']);

export const SupportCase = z.object({
  priority: z.string(),
  status: z.string(),
  caseType: z.string(),
  subject: z.string(),
  description: z.string(),
  createdAt: timestamp(),
  caseOwner: z.string(),
  caseNumber: z.string(),
});
export type SupportCase = z.output<typeof SupportCase>;

const facts = { maturity: 'experimental', credential: 'user' } as const;

export const createSupportCase = operation({
  ...facts,
  route: 'POST /api/support/cases',
  summary: 'Open a support case',
  description: 'Notifies the administrators of the deployment in the product.',
  allow: 'support:create',
  body: {
    subject: name(200),
    description: z.string().min(1).max(10_000),
    type: SupportCaseType.default('TYPE_QUESTION'),
    email: z.email().max(320).optional(),
    priority: SupportCasePriority.default('PRIORITY_MEDIUM'),
    organizationId: z.string().max(64).optional(),
    deploymentId: deployment(),
  },
  deployment: { bodyMember: 'deploymentId' },
  reply: {},
  faults: [SUPPORT_CASE_QUOTA, ORGANIZATION_MISMATCH],
});

export const listSupportCases = operation({
  ...facts,
  route: 'GET /api/support/cases/{orgid}',
  summary: 'List support cases',
  description:
    `The newest ${MAX_LISTED_CASES} first. Administrators see those of the whole deployment, others their own. ` +
    '`orgid` is the deployment.',
  allow: 'support:read',
  path: { orgid: deployment() },
  reply: { supportCases: z.array(SupportCase) },
});
