import { countGuardrails } from '#domain/findings/guardrails.ts';
import { group } from '#kernel/http/group.ts';
import * as contract from './contract.ts';
import { overview } from './overview.ts';
import { asOf, periodOf, pieces, refusalOf, sizeOf, tally } from './rules.ts';

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

/** ReportsService: what the findings of a deployment add up to. */
export const reports = group('ReportsService', contract, {
  getGuardrailsActivityReport: async ({ body, tx, caller, now }) => {
    const filters = body.filters ?? {};
    const period = periodOf(filters, now);
    const size = filters.timeBucketSize ?? sizeOf(period);
    const reason = refusalOf(period, size);
    if (reason !== undefined) throw contract.PERIOD_REFUSED({ reason });
    const counts = await countGuardrails(tx, caller, {
      since: period.since,
      asOf: asOf(period, now),
      now,
      byProject: projectFilterOf(filters),
      byFact: factFilterOf(filters),
    });
    return tally(pieces(period, size), counts);
  },

  getOverview: overview,
});
