import { z } from 'zod';
import { INVALID_QUERY, MAX_NOTE_LENGTH, TRIAGE_REFUSED } from '#domain/findings/shape.ts';
import { ProductPolicy } from '#domain/products/shape.ts';
import { VALIDATION_FAILED } from '#kernel/contract/common-faults.ts';
import { operation } from '#kernel/contract/operation.ts';
import { id } from '#kernel/contract/plain-fields.ts';
import { deployment, oneOf } from '#kernel/contract/proto-fields.ts';
import {
  V1Confidence,
  V1Exposure,
  V1Policy,
  V1Severity,
  V1Status,
  V1Transitivity,
  V1TriageReason,
  V1Verdict,
  v1FilterList,
  v1FilterTexts,
  v1QueryText,
} from './contract.ts';

export const MAX_V1_TRIAGED_FINDINGS = 3000;
const MAX_SINCE_LENGTH = 64;

export const bulkTriage = operation({
  route: 'POST /api/v1/deployments/{deploymentSlug}/triage',
  summary: 'Triage findings',
  description:
    'Applies one decision to findings selected by ids, filters or both. A decision applies to a finding on all of ' +
    'its refs. At least one of `new_triage_state` and `new_note`, and at least one id or filter, are required. Any ' +
    'state may follow any state, and repeating a decision changes nothing.',
  maturity: 'experimental',
  allow: 'issue:triage',
  isStrict: true,
  path: { deploymentSlug: deployment() },
  body: {
    issue_type: oneOf(['sast', 'sca', 'secrets', 'ai_sast']),
    issue_ids: z.array(id('Finding')).max(MAX_V1_TRIAGED_FINDINGS).optional(),
    new_triage_state: oneOf(['ignored', 'reviewing', 'fixing', 'reopened', 'provisionally_ignored', 'open']).optional(),
    new_triage_reason: V1TriageReason.optional(),
    new_note: z.string().max(MAX_NOTE_LENGTH).optional(),
    limit: z.int().min(1).max(MAX_V1_TRIAGED_FINDINGS).default(MAX_V1_TRIAGED_FINDINGS),
    autotriage_verdict: V1Verdict.optional(),
    categories: v1FilterTexts(),
    component_tags: v1FilterTexts(),
    confidence: V1Confidence.optional(),
    dependencies: v1FilterTexts(),
    epss_probability: v1FilterList(oneOf(['low', 'medium', 'high', 'none'])),
    exposures: v1FilterList(V1Exposure),
    include_historical: z.boolean().optional(),
    policies: v1FilterList(V1Policy),
    policy_mode: v1FilterList(ProductPolicy),
    pro_only: z.boolean().optional(),
    project_tags: v1FilterTexts(),
    ref: z.string().max(1024).optional(),
    repos: v1FilterTexts(),
    repository_visibility: v1FilterList(oneOf(['public', 'private', 'unknown'])),
    rules: v1FilterTexts(),
    ruleset: v1FilterTexts(),
    secret_types: v1FilterTexts(),
    severities: v1FilterList(V1Severity),
    since: z.string().max(MAX_SINCE_LENGTH).optional(),
    status: V1Status.optional(),
    transitivities: v1FilterList(V1Transitivity),
    triage_reasons: v1FilterList(V1TriageReason),
    validation_state: v1FilterList(oneOf(['confirmed_valid', 'confirmed_invalid', 'validation_error', 'no_validator'])),
    q: v1QueryText(),
  },
  reply: { num_triaged: z.int(), triaged_issues: z.array(id('Finding')) },
  faults: [INVALID_QUERY, TRIAGE_REFUSED, VALIDATION_FAILED],
});
