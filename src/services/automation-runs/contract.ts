import { z } from 'zod';
import { AutomationActivity, AutomationRun } from '#domain/automations/deliveries/delivery-shape.ts';
import {
  AutomationActionType,
  AutomationCondition,
  AutomationDraftCondition,
  AutomationMode,
  AutomationTriggerSource,
  MatchMode,
} from '#domain/automations/shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { count, cursor, deployment, id, limit, timestamp } from '#kernel/contract/proto-fields.ts';

/** One transaction matches so many findings within seconds. */
export const MAX_EXISTING = 20_000;

export const PREVIEW_CHANGED = fault(
  'PREVIEW_CHANGED',
  409,
  'The automation would now match {count} findings.',
  'Look at the preview again, and confirm its snapshot and count; nothing was done.',
);
export const TOO_MANY_EXISTING = fault(
  'TOO_MANY_EXISTING',
  409,
  'More than {most} existing findings match; nothing was done.',
  'Narrow the conditions.',
);
export const AUTOMATION_PAUSED = fault(
  'AUTOMATION_PAUSED',
  409,
  'A paused automation does not run.',
  'Set its mode to live or simulate first.',
);
export const REFERENCE_GONE = fault(
  'REFERENCE_GONE',
  409,
  'A condition names something that does not exist any more: {value}.',
  'Correct the conditions of the automation.',
);

const base = '/api/notifications/deployments/{deploymentId}/automations';
const path = { deploymentId: deployment() };
const automationPath = { ...path, automationId: id('Automation') };
const common = { maturity: 'experimental', isExtension: true } as const;

const Explanation = {
  isMatch: z.boolean(),
  /** Why it fires or does not, in one sentence. */
  verdict: z.string(),
  conditions: z.array(AutomationCondition.extend({ isTrue: z.boolean(), seen: z.array(z.string()) })),
  firedAt: timestamp().optional(),
  runId: id('AutomationRun').optional(),
};

const Preview = {
  count: count(),
  snapshot: id('Snapshot'),
  projects: z.array(z.object({ name: z.string(), count: z.int() })),
  worstIssueIds: z.array(id('Finding')),
};

export const listAutomationActivity = operation({
  ...common,
  route: `GET ${base}:activity`,
  summary: 'Show what automations did lately',
  description:
    'For each automation its mode, its last run, and what it sent, holds and failed to send in seven days. ' +
    '`notCarriedOut` lists the actions that this server only records, with the reason.',
  allow: 'automation:read',
  path,
  reply: {
    activities: z.array(AutomationActivity),
    notCarriedOut: z.array(z.object({ type: AutomationActionType, reason: z.string() })),
  },
});

export const listAutomationRuns = operation({
  ...common,
  route: `GET ${base}/{automationId}/runs`,
  summary: 'List the runs of an automation',
  description: 'Newest first, for 90 days, with what was passed over and why.',
  allow: 'automation:read',
  path: automationPath,
  query: { cursor: cursor(), limit: limit() },
  reply: { runs: z.array(AutomationRun), cursor: cursor() },
});

export const setAutomationMode = operation({
  ...common,
  isStrict: true,
  route: `POST ${base}/{automationId}:setMode`,
  summary: 'Pause an automation, simulate it, or set it live',
  description:
    'A simulating automation records what it would send and decide. Pausing cancels what has not been sent. What ' +
    'happens while it is paused is not made up for.',
  allow: 'automation:manage',
  path: automationPath,
  body: { mode: AutomationMode },
  reply: { mode: AutomationMode },
});

export const explainAutomation = operation({
  ...common,
  route: `GET ${base}/{automationId}/findings/{findingId}`,
  summary: 'Explain why an automation fires for a finding, or does not',
  description: 'Each condition with whether it holds now and the value that was seen.',
  allow: 'automation:read',
  path: { ...automationPath, findingId: id('Finding') },
  reply: Explanation,
});

export const tryAutomation = operation({
  ...common,
  route: `POST ${base}:try`,
  summary: 'Try conditions that are not saved',
  description: 'On one finding, and as the number of existing findings that they match. Nothing is changed.',
  allow: 'delivery:read',
  path,
  body: {
    filters: z.object({
      mode: MatchMode.optional(),
      conditions: z.array(AutomationDraftCondition).min(1).max(50),
    }),
    triggerSource: AutomationTriggerSource.optional(),
    findingId: id('Finding').optional(),
  },
  reply: { ...Preview, explanation: z.object(Explanation).optional() },
});

export const previewAutomationRun = operation({
  ...common,
  route: `POST ${base}/{automationId}:preview`,
  summary: 'Preview a run on existing findings',
  description: 'Findings for which the automation has fired are not counted. Nothing is changed.',
  allow: 'delivery:read',
  path: automationPath,
  reply: Preview,
  faults: [REFERENCE_GONE],
});

export const runAutomation = operation({
  ...common,
  isStrict: true,
  route: `POST ${base}/{automationId}:run`,
  summary: 'Run an automation on existing findings',
  description: 'Repeats the snapshot and the count of the preview. All limits of deliveries apply.',
  allow: 'automation:manage',
  path: automationPath,
  body: { snapshot: id('Snapshot'), count: count() },
  reply: { runId: id('AutomationRun'), matched: count() },
  faults: [PREVIEW_CHANGED, TOO_MANY_EXISTING, AUTOMATION_PAUSED, REFERENCE_GONE],
});
