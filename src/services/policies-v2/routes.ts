import { requireMigration } from '#domain/unified-policies/policy-checks.ts';
import { conditionValues, remediationVocabulary } from '#domain/unified-policies/remediation-words.ts';
import { group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';
import * as detection from './detection.ts';
import * as migration from './migration.ts';
import * as remediation from './remediation.ts';

const CONSTRAINTS = {
  code: { rulesets_accepted: true, exception_types: ['include', 'exclude'], rule_types: ['rule', 'pack'] },
  secrets: { rulesets_accepted: false, exception_types: ['include', 'exclude'], rule_types: ['rule'] },
} as const;

/** PoliciesV2Service: what scans run and what happens to findings, as bundles that replace each other as a whole. */
export const policiesV2 = group('PoliciesV2Service', contract, {
  getDetectionPolicySummary: detection.summarize,
  getDetectionPolicy: (call) => detection.show(call, call.path.product),
  applyDetectionPolicy: detection.apply,
  dryRunDetectionPolicy: detection.dryRun,

  getRemediationPolicies: remediation.show,
  applyRemediationPolicies: remediation.apply,
  dryRunRemediationPolicies: remediation.dryRun,

  getVocab: async ({ query, tx, caller }) => {
    await requireMigration(tx, caller.deployment);
    const words = remediationVocabulary();
    if (query.product === undefined) return words;
    if (query.product === 'remediation') return { ...words, value_enums: conditionValues() };
    const { exception_types, rule_types, rulesets_accepted } = CONSTRAINTS[query.product];
    return {
      ...words,
      detection_constraints: {
        rulesets_accepted,
        exception_types: [...exception_types],
        rule_types: [...rule_types],
      },
    };
  },

  previewMigration: migration.preview,
  migrateDeployment: migration.migrate,
});
