import { countEpisodes } from '#domain/findings/guardrails/count-episodes.ts';
import { countRepeatedIssues } from '#domain/findings/guardrails/count-repeats.ts';
import { group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';
import { overview } from './overview.ts';
import {
  bucketPeriods,
  bucketSizeOf,
  guardrailReport,
  periodRefusal,
  reportAsOf,
  reportByFinding,
  reportPeriodOf,
} from './rules.ts';

const projectFilterOf = ({ projects = [], projectIds = [], tags = [], teams = [] }: contract.ReportFilter) => ({
  projects,
  projectIds,
  tags,
  teams,
});

const factFilterOf = (filters: contract.ReportFilter) => ({
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

/** The query of a guardrails report and its buckets. */
function reportQueryOf(filters: contract.ReportFilter, now: Date) {
  const period = reportPeriodOf(filters, now);
  const size = filters.timeBucketSize ?? bucketSizeOf(period);
  const reason = periodRefusal(period, size);
  if (reason !== undefined) throw contract.PERIOD_REFUSED({ reason });
  const query = {
    since: period.since,
    asOf: reportAsOf(period, now),
    now,
    byProject: projectFilterOf(filters),
    byFact: factFilterOf(filters),
  };
  return { query, buckets: bucketPeriods(period, size) };
}

/** ReportsService: reports about the findings of a deployment. */
export const reports = group('ReportsService', contract, {
  getGuardrailsActivityReport: async ({ body, tx, caller, now }) => {
    const { query, buckets } = reportQueryOf(body.filters ?? {}, now);
    return guardrailReport(buckets, await countEpisodes(tx, caller, query));
  },

  getGuardrailsFindings: async ({ body, tx, caller, now }) => {
    const { query, buckets } = reportQueryOf(body.filters ?? {}, now);
    const report = guardrailReport(buckets, await countEpisodes(tx, caller, query));
    const edges = buckets.map(({ since }) => since);
    return reportByFinding(report, await countRepeatedIssues(tx, caller, { ...query, edges }));
  },

  getOverview: overview,
});
