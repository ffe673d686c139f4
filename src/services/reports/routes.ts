import { countRepeats } from '#domain/findings/guardrail-repeats.ts';
import { countGuardrails } from '#domain/findings/guardrails.ts';
import { group } from '#kernel/http/group.ts';
import * as contract from './contract.ts';
import { overview } from './overview.ts';
import { asOf, ofFindings, periodOf, pieces, refusalOf, sizeOf, tally } from './rules.ts';

const projectFilterOf = ({ projects = [], projectIds = [], tags = [], teams = [] }: contract.Filters) => ({
  projects,
  projectIds,
  tags,
  teams,
});

const factFilterOf = (filters: contract.Filters) => ({
  findingTypes: filters.findingTypes ?? [],
  findingSeverities: filters.findingSeverities ?? [],
  confidence: filters.confidence ?? [],
  reachability: filters.reachability ?? [],
  validity: filters.validity ?? [],
  ruleIds: filters.ruleIds ?? [],
  aiVerdicts: filters.aiVerdicts ?? [],
  deploymentStatuses: filters.deploymentStatuses ?? [],
  publicExposures: filters.publicExposures ?? [],
  findingCategories: filters.findingCategories ?? [],
});

/** What a request for the report of guardrails asks for. */
function questionOf(filters: contract.Filters, now: Date) {
  const period = periodOf(filters, now);
  const size = filters.timeBucketSize ?? sizeOf(period);
  const reason = refusalOf(period, size);
  if (reason !== undefined) throw contract.PERIOD_REFUSED({ reason });
  const question = {
    since: period.since,
    asOf: asOf(period, now),
    now,
    byProject: projectFilterOf(filters),
    byFact: factFilterOf(filters),
  };
  return { question, parts: pieces(period, size) };
}

/** ReportsService: what the findings of a deployment add up to. */
export const reports = group('ReportsService', contract, {
  getGuardrailsActivityReport: async ({ body, tx, caller, now }) => {
    const { question, parts } = questionOf(body.filters ?? {}, now);
    return tally(parts, await countGuardrails(tx, caller, question));
  },

  getGuardrailsFindings: async ({ body, tx, caller, now }) => {
    const { question, parts } = questionOf(body.filters ?? {}, now);
    const report = tally(parts, await countGuardrails(tx, caller, question));
    const edges = parts.map(({ since }) => since);
    return ofFindings(report, await countRepeats(tx, caller, { ...question, edges }));
  },

  getOverview: overview,
});
