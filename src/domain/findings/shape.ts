import { z } from 'zod';
import { fault } from '#kernel/contract/fault.ts';
import { id, oneOf } from '#kernel/contract/proto-fields.ts';

/** Triage states of a finding, with their names in the APIs. `seed` is the name in the API of workflow issues. */
export const TRIAGE_STATES = {
  untriaged: { v2: 'FINDING_TRIAGE_STATE_UNTRIAGED', seed: 'TRIAGE_STATE_OPEN', episode: 'open' },
  reopened: { v2: 'FINDING_TRIAGE_STATE_REOPENED', seed: 'TRIAGE_STATE_REOPENED', episode: 'reopened' },
  reviewing: { v2: 'FINDING_TRIAGE_STATE_REVIEWING', seed: 'TRIAGE_STATE_REVIEWING', episode: 'reviewing' },
  fixing: { v2: 'FINDING_TRIAGE_STATE_FIXING', seed: 'TRIAGE_STATE_FIXING', episode: 'fixing' },
  ignored: { v2: 'FINDING_TRIAGE_STATE_IGNORED', seed: 'TRIAGE_STATE_IGNORED', episode: 'ignored' },
  provisionally_ignored: {
    v2: 'FINDING_TRIAGE_STATE_PROVISIONALLY_IGNORED',
    seed: 'TRIAGE_STATE_PROVISIONALLY_IGNORED',
    episode: 'provisionally_ignored',
  },
} as const;
export type TriageState = keyof typeof TRIAGE_STATES;

/** Reasons for ignoring a finding; workflow issues have the first three. */
export const TRIAGE_REASONS = {
  false_positive: { v2: 'FINDING_TRIAGE_REASON_FALSE_POSITIVE', seed: 'TRIAGE_REASON_FALSE_POSITIVE' },
  acceptable_risk: { v2: 'FINDING_TRIAGE_REASON_ACCEPTABLE_RISK', seed: 'TRIAGE_REASON_ACCEPTABLE_RISK' },
  no_time: { v2: 'FINDING_TRIAGE_REASON_NO_TIME', seed: 'TRIAGE_REASON_NO_TIME' },
  duplicate: { v2: 'FINDING_TRIAGE_REASON_DUPLICATE', seed: undefined },
  no_triage_reason: { v2: 'FINDING_TRIAGE_REASON_NO_TRIAGE_REASON', seed: undefined },
} as const;
export type TriageReason = keyof typeof TRIAGE_REASONS;

/** The status of a finding, derived from scans and triage. */
export const FINDING_STATUSES = [
  'open',
  'reviewing',
  'fixing',
  'provisionally_ignored',
  'ignored',
  'fixed',
  'elsewhere',
  'removed',
] as const;
export type FindingStatus = (typeof FINDING_STATUSES)[number];

export const PRODUCTS = ['sast', 'sca', 'secrets', 'ai_sast'] as const;
export type FindingProduct = (typeof PRODUCTS)[number];

/** Ordered by rank, starting at 0. */
export const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const;
/** The names of severities in the API. */
export const SEVERITY_NAMES = [
  'SEVERITY_INFO',
  'SEVERITY_LOW',
  'SEVERITY_MEDIUM',
  'SEVERITY_HIGH',
  'SEVERITY_CRITICAL',
] as const;
export const FindingSeverity = oneOf(SEVERITY_NAMES);
export type SeverityName = (typeof SEVERITY_NAMES)[number];

/** The severities of the reference contract, which has none below low. */
export const ISSUE_SEVERITIES = ['SEVERITY_HIGH', 'SEVERITY_MEDIUM', 'SEVERITY_LOW', 'SEVERITY_CRITICAL'] as const;
export const IssueSeverity = oneOf(ISSUE_SEVERITIES);
/** Ordered by rank; rank 0 is unused. */
export const CONFIDENCES = ['', 'low', 'medium', 'high'] as const;

const keysBy = <Name extends string>(table: Record<Name, { v2: string }>) =>
  new Map((Object.entries(table) as [Name, { v2: string }][]).map(([name, { v2 }]) => [v2, name]));

const stateByV2 = keysBy(TRIAGE_STATES);
const reasonByV2 = keysBy(TRIAGE_REASONS);

export const triageStateOf = (v2: string): TriageState | undefined => stateByV2.get(v2);
export const triageReasonOf = (v2: string): TriageReason | undefined => reasonByV2.get(v2);

export const MAX_NOTE_LENGTH = 3000;
/** The number of findings that one transaction changes within seconds. */
export const MAX_FINDINGS_AT_ONCE = 20_000;

export const TOO_MANY_FINDINGS = fault(
  'TOO_MANY_FINDINGS',
  409,
  'More than {most} findings match; nothing was changed.',
  'Narrow the filter, and decide about the rest in further requests.',
);

export const TRIAGE_REFUSED = fault(
  'TRIAGE_REFUSED',
  403,
  'You may not decide about findings here.',
  'Ask an administrator of the deployment.',
);

export const INVALID_QUERY = fault(
  'INVALID_QUERY',
  400,
  'The filter `q` is not understood: {first}',
  'Correct each part listed in `errors`; the reference of filters shows what can be written.',
);

export const IssueAutotriage = z.object({
  id: id('Autotriage'),
  issueId: id('Finding'),
  verdict: oneOf(['VERDICT_TRUE_POSITIVE', 'VERDICT_FALSE_POSITIVE', 'VERDICT_NO_VERDICT']),
  reason: z.string(),
  feedback: z
    .object({ autotriageId: id('Autotriage'), rating: oneOf(['RATING_GOOD', 'RATING_BAD']), note: z.string() })
    .optional(),
  matchBasedId: z.string(),
  memoryIdsReferenced: z.array(z.string()),
  memoryIdsRendered: z.array(z.string()),
});

export const SortDirection = oneOf(['SORT_DIRECTION_ASC', 'SORT_DIRECTION_DESC']);

/** What the examples of the API description show. */
export const exampleIds = { Finding: '4821', FindingBatch: '31', ExceptionRequest: '12', FindingComment: '7' };
