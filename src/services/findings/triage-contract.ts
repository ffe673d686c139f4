import { z } from 'zod';
import { INVALID_QUERY, LONGEST_NOTE, TRIAGE_REFUSED } from '#domain/findings/shape.ts';
import { VALIDATION_FAILED } from '#kernel/contract/common-faults.ts';
import { operation } from '#kernel/contract/operation.ts';
import { id } from '#kernel/contract/plain.ts';
import { deployment, oneOf } from '#kernel/contract/proto.ts';
import {
  CONFIDENCES,
  EXPOSURES,
  list,
  POLICIES,
  queryText,
  REASONS,
  SEVERITIES,
  STATUSES,
  TRANSITIVITIES,
  texts,
  VERDICTS,
} from './contract.ts';

export const MOST_TRIAGED = 3000;
const LONGEST_SINCE = 64;

export const bulkTriage = operation({
  route: 'POST /api/v1/deployments/{deploymentSlug}/triage',
  summary: 'Triage findings',
  description:
    'Decides about findings by their ids, by filters, or by both. A decision is about a finding on all of its refs. ' +
    'At least one of `new_triage_state` and `new_note`, and at least one id or filter, must be given. Any state may ' +
    'follow any state; the same decision again changes nothing.',
  maturity: 'experimental',
  allow: 'issue:triage',
  path: { deploymentSlug: deployment() },
  body: {
    issue_type: oneOf(['sast', 'sca', 'secrets', 'ai_sast']),
    issue_ids: z.array(id('Finding')).max(MOST_TRIAGED).optional(),
    new_triage_state: oneOf(['ignored', 'reviewing', 'fixing', 'reopened', 'provisionally_ignored', 'open']).optional(),
    new_triage_reason: oneOf(REASONS).optional(),
    new_note: z.string().max(LONGEST_NOTE).optional(),
    limit: z.int().min(1).max(MOST_TRIAGED).default(MOST_TRIAGED),
    autotriage_verdict: oneOf(VERDICTS).optional(),
    categories: texts(),
    component_tags: texts(),
    confidence: oneOf(CONFIDENCES).optional(),
    dependencies: texts(),
    epss_probability: list(oneOf(['low', 'medium', 'high', 'none'])),
    exposures: list(oneOf(EXPOSURES)),
    include_historical: z.boolean().optional(),
    policies: list(oneOf(POLICIES)),
    policy_mode: list(oneOf(['monitor', 'comment', 'block'])),
    pro_only: z.boolean().optional(),
    project_tags: texts(),
    ref: z.string().max(1024).optional(),
    repos: texts(),
    repository_visibility: list(oneOf(['public', 'private', 'unknown'])),
    rules: texts(),
    ruleset: texts(),
    secret_types: texts(),
    severities: list(oneOf(SEVERITIES)),
    since: z.string().max(LONGEST_SINCE).optional(),
    status: oneOf(STATUSES).optional(),
    transitivities: list(oneOf(TRANSITIVITIES)),
    triage_reasons: list(oneOf(REASONS)),
    validation_state: list(oneOf(['confirmed_valid', 'confirmed_invalid', 'validation_error', 'no_validator'])),
    q: queryText(),
  },
  reply: { num_triaged: z.int(), triaged_issues: z.array(id('Finding')) },
  faults: [INVALID_QUERY, TRIAGE_REFUSED, VALIDATION_FAILED],
});
