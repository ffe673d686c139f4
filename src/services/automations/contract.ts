import { z } from 'zod';
import {
  Automation,
  AutomationActionType,
  AutomationDraftCondition,
  AutomationTriggerSource,
  MatchMode,
} from '#domain/automations/shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { cursor, deployment, id, limit, line, name, readOnly, timestamp } from '#kernel/contract/proto-fields.ts';

export const MAX_AUTOMATIONS = 500;
export const MAX_AUTOMATION_BYTES = 16 * 1024;
const MAX_CONDITIONS = 50;
const MAX_ACTIONS = 20;
const MAX_CONFIG_MEMBERS = 20;

export const AUTOMATION_QUOTA = fault(
  'AUTOMATION_QUOTA',
  409,
  'A deployment can have at most {most} automations.',
  'Delete automations that are no longer needed.',
);
export const AUTOMATION_REFUSED = fault(
  'AUTOMATION_REFUSED',
  400,
  'The automation cannot run; it has {count}: {first}',
  'Correct each member listed in `errors`; nothing was changed.',
);

const Config = z
  .record(z.string().regex(/^[a-zA-Z][a-zA-Z0-9_]{0,63}$/), line(1024))
  .refine((config) => Object.keys(config).length <= MAX_CONFIG_MEMBERS, {
    error: `must have at most ${MAX_CONFIG_MEMBERS} members`,
  });

export const AutomationDraft = z.object({
  filters: z.object({
    mode: MatchMode.optional(),
    conditions: z.array(AutomationDraftCondition).min(1).max(MAX_CONDITIONS),
  }),
  actions: z
    .array(z.object({ type: AutomationActionType, config: Config.optional(), id: readOnly(z.string().max(64)) }))
    .min(1)
    .max(MAX_ACTIONS),
  active: z.boolean().optional(),
  name: name(),
  description: z.string().max(2000).optional(),
  createdBy: readOnly(z.string().max(512)),
  createdAt: readOnly(timestamp()),
  updatedAt: readOnly(timestamp()),
  id: readOnly(z.string().max(64)),
  updatedBy: readOnly(z.string().max(512)),
  internalOnly: readOnly(z.boolean()),
  triggerSource: AutomationTriggerSource.optional(),
});
export type AutomationDraft = z.output<typeof AutomationDraft>;

const base = '/api/notifications/deployments/{deploymentId}/automations';
const path = { deploymentId: deployment() };
const automationPath = { ...path, automationId: id('Automation') };

export const listAutomations = operation({
  route: `GET ${base}`,
  summary: 'List automations',
  description: 'All automations, in order of creation.',
  maturity: 'experimental',
  allow: 'automation:read',
  path,
  reply: { automations: z.array(Automation) },
});

export const createAutomation = operation({
  route: `POST ${base}`,
  summary: 'Create an automation',
  description:
    'Unless given, `filters.mode` is MODE_ALL, the `mode` of a condition MODE_ANY, `triggerSource` ' +
    'TRIGGER_SOURCE_SCAN and `active` true. Words such as severities are accepted in upper or lower case, with or ' +
    'without the prefix of their enum, and shown in lower case. An automation that could never run is refused: with ' +
    'conditions that exclude each other, unknown projects, actions without required config (JIRA: project_id and ' +
    'credential_slug; WEBHOOK and SLACK_WEBHOOK: webhook_id; SLACK_APP: channel_id; EMAIL: recipients; S3: bucket ' +
    'and credential_slug; PARTNER: credential_slug; TRIAGE: state; TRIGGER_WORKFLOW: workflow_id), and a BLOCK ' +
    'without a PR_COMMENT.',
  maturity: 'experimental',
  allow: 'automation:manage',
  isStrict: true,
  path,
  body: { deploymentId: id('Deployment').optional(), automation: AutomationDraft },
  reply: { automation: Automation },
  faults: [AUTOMATION_REFUSED, AUTOMATION_QUOTA],
});

export const updateAutomation = operation({
  route: `PUT ${base}/{automationId}`,
  summary: 'Update an automation',
  description:
    'Replaces `name`, `filters` and `actions`; `description`, `active` and `triggerSource` stay as they are when ' +
    'absent. An action keeps the id that it carries, or that of an equal action; the others get new ones.',
  maturity: 'experimental',
  allow: 'automation:manage',
  isStrict: true,
  path: automationPath,
  body: {
    automation: AutomationDraft,
    deploymentId: id('Deployment').optional(),
    automationId: id('Automation').optional(),
  },
  reply: { automation: Automation },
  faults: [AUTOMATION_REFUSED],
  isVersioned: true,
});

export const deleteAutomation = operation({
  route: `DELETE ${base}/{automationId}`,
  summary: 'Delete automation',
  description:
    'A second call answers 404, unless it has the same Idempotency-Key. The automation can be restored within 30 ' +
    'days.',
  maturity: 'experimental',
  allow: 'automation:manage',
  path: automationPath,
  reply: {},
});

export const restoreAutomation = operation({
  route: `POST ${base}/{deletedAutomationId}:restore`,
  summary: 'Restore a deleted automation',
  description:
    'Within 30 days of its deletion. An automation that is not deleted, or was deleted earlier, is not found.',
  maturity: 'experimental',
  allow: 'automation:manage',
  isExtension: true,
  path: { ...path, deletedAutomationId: id('DeletedAutomation') },
  reply: { automation: Automation },
  faults: [AUTOMATION_QUOTA],
});

export const listAutomationsV2 = operation({
  route: 'GET /api/v2/deployments/{deploymentId}/automations',
  summary: 'List automations in pages',
  description: 'In order of creation.',
  maturity: 'experimental',
  allow: 'automation:read',
  path,
  query: { cursor: cursor(), limit: limit() },
  reply: { automations: z.array(Automation), cursor: cursor() },
});
