import { z } from 'zod';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { deployment } from '#kernel/contract/proto-fields.ts';

export const TOO_MANY_STREAMS = fault(
  'TOO_MANY_STREAMS',
  429,
  'You have {most} streams of events open already.',
  'Close one of them, or share one among the pages that listen.',
);
export const STREAMS_FULL = fault(
  'STREAMS_FULL',
  503,
  'This server has no room for another stream of events right now.',
  'Try again after the time that Retry-After names; until then ask for what you want to know.',
);

export const streamEvents = operation({
  route: 'GET /api/events/v1/deployments/{deploymentId}',
  summary: 'Follow what happens in a deployment',
  description:
    'Server-sent events: `scan.completed` (`scanId`, `projectId`, `projectName`, `ref`, `opened`, `fixed`, ' +
    '`reopened`), `findings.triaged` (`batchId`, `count`, `by`) and, for any other change, `deployment.changed` ' +
    '(`what`: the kind of thing). Each has the same members `id`, `type`, `at`, `deploymentId` and `data`. What ' +
    'concerns projects is told to those who may see them. The stream ends after an hour at the latest, when the ' +
    'caller may no longer listen, and when the server stops; who comes again with the header `Last-Event-ID`, or ' +
    '`lastEventId`, hears of what was missed. Who missed too much is told of a change of `everything`.',
  maturity: 'experimental',
  allow: 'issue:read',
  isExtension: true,
  transaction: 'manual',
  path: { deploymentId: deployment() },
  query: { lastEventId: z.string().max(128).optional() },
  reply: {},
  raw: { types: ['text/event-stream'] },
  faults: [TOO_MANY_STREAMS, STREAMS_FULL],
});
