import { z } from 'zod';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { deployment } from '#kernel/contract/proto-fields.ts';

export const TOO_MANY_STREAMS = fault(
  'TOO_MANY_STREAMS',
  429,
  'You already have {most} open event streams.',
  'Close one of them, or share a stream between pages.',
);
export const STREAMS_FULL = fault(
  'STREAMS_FULL',
  503,
  'This server cannot open another event stream right now.',
  'Try again after the time in Retry-After; poll until then.',
);

export const streamEvents = operation({
  route: 'GET /api/events/v1/deployments/{deploymentId}',
  summary: 'Stream the events of a deployment',
  description:
    'Server-sent events: `scan.completed` (`scanId`, `projectId`, `projectName`, `ref`, `opened`, `fixed`, ' +
    '`reopened`), `findings.triaged` (`batchId`, `count`, `by`) and, for any other change, `deployment.changed` ' +
    '(`what`: the kind of object). Each has the members `id`, `type`, `at`, `deploymentId` and `data`. Events ' +
    'about a project are sent to callers who may see it. The stream ends after an hour at the latest, when the ' +
    'caller loses access, and when the server stops. A client that reconnects with the header `Last-Event-ID`, or ' +
    '`lastEventId`, gets the events that it missed, or a change of `everything` if there are too many.',
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
