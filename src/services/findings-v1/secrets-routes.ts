import { displayStatus } from '#domain/findings/filter/finding-conditions.ts';
import type { FindingFilter, IsValue } from '#domain/findings/filter/finding-filter.ts';
import { listFindingPage, NEWEST_FIRST } from '#domain/findings/filter/finding-list.ts';
import { findingById, lineUrl, primaryLocationOf, refUrl, scmType } from '#domain/findings/filter/locations.ts';
import { exactMatches } from '#domain/findings/filter/text-match.ts';
import { externalTicketJson } from '#domain/ticketing/ticket-json.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import * as contract from './secrets-contract.ts';

type Query = Call<typeof contract.listSecretsPath>['query'];

const STATUSES: Record<string, readonly IsValue[]> = {
  FINDING_STATUS_OPEN: ['open', 'reviewing', 'fixing'],
  FINDING_STATUS_IGNORED: ['ignored'],
  FINDING_STATUS_FIXED: ['fixed'],
  FINDING_STATUS_REMOVED: ['removed'],
  FINDING_STATUS_PROVISIONALLY_IGNORED: ['provisionally_ignored'],
  FINDING_STATUS_UNKNOWN: [],
};

const SEVERITIES: Record<string, readonly number[]> = {
  SEVERITY_LOW: [0, 1],
  SEVERITY_MEDIUM: [2],
  SEVERITY_HIGH: [3],
  SEVERITY_CRITICAL: [4],
};

const hasValues = <Item>(items: Item[] | undefined): items is Item[] => items !== undefined && items.length > 0;

function filterOf({ since, validationState, status, severity, repo }: Query): FindingFilter {
  const is = status === undefined ? undefined : STATUSES[status];
  return {
    products: ['secrets'],
    ...(is && { is }),
    ...(since && { relevantSince: [{ from: since }] }),
    ...(hasValues(validationState) && {
      validations: validationState.map((state) => state.replace('VALIDATION_STATE_', '').toLowerCase()),
    }),
    ...(hasValues(severity) && { severities: severity.flatMap((name) => SEVERITIES[name] ?? []) }),
    ...(hasValues(repo) && { projects: exactMatches(repo) }),
  };
}

const findMany = (tx: Tx, ids: readonly string[]) => tx.all(contract.V1SecretsFinding)`
  select finding.id, coalesce(finding.secret_type, finding.rule) as type, md5(finding.rule) as "ruleHashId",
    'CONFIDENCE_' || (array['LOW', 'MEDIUM', 'HIGH'])[greatest(finding.confidence, 1)] as confidence,
    'SEVERITY_' || (array['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'])[greatest(finding.severity, 1)] as severity,
    'FINDING_STATUS_' || case when ${displayStatus} in ('open', 'reviewing', 'fixing') then 'OPEN'
      else upper(${displayStatus}) end as status,
    'VALIDATION_STATE_' || upper(coalesce(finding.validation, 'no_validator')) as "validationState",
    'MODE_' || upper(finding.mode) as mode, place.path || ':' || place.line as "findingPath",
    coalesce(${lineUrl({ commit: sql`place.commit`, path: sql`place.path`, line: sql`place.line` })}, '')
      as "findingPathUrl",
    place.ref, coalesce(${refUrl(sql`place.ref`)}, '') as "refUrl",
    jsonb_build_object('name', project.name, 'url', coalesce(project.url, ''),
      'visibility', 'REPOSITORY_VISIBILITY_UNKNOWN', 'scmType', ${scmType}) as repository,
    finding.first_seen_at as "createdAt", greatest(finding.triaged_at, place.changed_at, finding.first_seen_at)
      as "updatedAt", (${externalTicketJson})::jsonb as "externalTicket", '[]'::jsonb as "reviewComments"
  from unnest(${ids}::bigint[]) with ordinality as listed (id, position)
  cross join ${findingById(sql`listed.id`)}
  join project on project.deployment_id = finding.deployment_id and project.id = finding.project_id
  cross join lateral (${primaryLocationOf({ isAnywhere: true })}) as place
  order by listed.position`;

/** SecretsService of v1: leaked credentials. */
export const v1Secrets = group('SecretsService', contract, {
  listSecretsPath: async ({ query, page, tx, caller, now }) => {
    const ids = await listFindingPage(tx, { caller, now }, { filter: filterOf(query), order: NEWEST_FIRST, page });
    return { findings: await findMany(tx, ids), cursor: page.next, previous: '' };
  },
});
