import { shownStatus } from '#domain/findings/conditions.ts';
import { namedFindings } from '#domain/findings/ids.ts';
import { findingOf, lineUrl, mainPlaceOf, placesOf, refUrl, scmType } from '#domain/findings/places.ts';
import { SEVERITY_NAMES, TRIAGE_REASONS, TRIAGE_STATES } from '#domain/findings/shape.ts';
import { type Sql, sql } from '#kernel/db/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { Issue } from './shape.ts';

const anywhere = { isAnywhere: true };

const v2Names = (table: Record<string, { v2: string }>) =>
  JSON.stringify(Object.fromEntries(Object.entries(table).map(([name, { v2 }]) => [name, v2])));

export const stateName = (state: Sql): Sql => sql`${v2Names(TRIAGE_STATES)}::jsonb->>(${state})`;
export const reasonName = (reason: Sql): Sql => sql`${v2Names(TRIAGE_REASONS)}::jsonb->>(${reason})`;

/** The name of a status, which says of what is ignored whether people or the code say so. */
export const aggregate = (status: Sql, isMuted: Sql): Sql => sql`
  'AGGREGATE_ISSUE_STATE_' || case ${status} when 'ignored' then case when ${isMuted} then 'IGNORED_CODE'
    else 'IGNORED_APP' end when 'provisionally_ignored' then 'PROVISIONALLY_IGNORED_APP' else upper(${status}) end`;

const dependency = sql`jsonb_build_object('package', coalesce(finding.package, ''),
  'version', coalesce(finding.package_version, ''),
  'transitivity', case finding.transitivity when 'direct' then 'DIRECT' when 'transitive' then 'TRANSITIVE'
    else 'UNKNOWN_TRANSITIVITY' end,
  'lockfileLineUrl', '', 'filePath', case when finding.reachability = 'reachable' then '' else place.path end,
  'ecosystem', coalesce(finding.ecosystem, 'no_package_manager'), 'manifestFilePath', '')`;

const severity = sql`'SEVERITY_' || (array['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'])[greatest(finding.severity, 1)]`;

const fixes = sql`(select coalesce(jsonb_agg(jsonb_build_object('package', finding.package, 'version', fixed.version)),
    '[]') from jsonb_array_elements_text(coalesce(finding.detail->'fixVersions', '[]')) as fixed (version))`;

const ruleKind = sql`case finding.detail #>> '{metadata,sca-kind}' when 'reachable' then 'SCA_RULE_KIND_REACHABLE'
  when 'upgrade-only' then 'SCA_RULE_KIND_UPGRADE_ONLY' when 'malicious' then 'SCA_RULE_KIND_MALICIOUS_DEPENDENCY'
  when 'legacy' then 'SCA_RULE_KIND_LEGACY' end`;

const scaAttributes = sql`case when finding.product = 'sca' then jsonb_strip_nulls(jsonb_build_object(
  'severity', ${severity}, 'vulnDatabaseIdentifier', coalesce(finding.advisory, ''),
  'reachability', 'REACHABILITY_' || upper(coalesce(replace(finding.reachability, ' ', '_'), 'unknown')),
  'reachableCondition', coalesce(finding.detail->>'reachableCondition', ''), 'cwes', to_jsonb(finding.cwes),
  'foundDependency', ${dependency}, 'fixRecommendations', ${fixes}, 'bestFix', ${fixes}->0,
  'scaRuleKind', ${ruleKind}, 'introducedBy', '[]'::jsonb)) end`;

const secretsAttributes = sql`case when finding.product = 'secrets' then jsonb_build_object(
  'validationState', 'VALIDATION_STATE_' || upper(coalesce(finding.validation, 'no_validator')),
  'secretType', coalesce(finding.secret_type, '')) end`;

const repository = sql`jsonb_strip_nulls(jsonb_build_object('name', project.name, 'id', project.id::text,
  'type', ${scmType}, 'primaryRef', (select jsonb_build_object('id', home.id::text, 'ref', home.ref)
    from project_branch as home where home.deployment_id = project.deployment_id and home.project_id = project.id
      and home.ref = coalesce(project.primary_branch, project.default_branch))))`;

const scan = (id: Sql) => sql`jsonb_build_object('id', ${id}::text, 'meta', '{}'::jsonb)`;

/** The same issue on other refs than the one that is shown. */
const related = sql`(select coalesce(jsonb_agg(jsonb_build_object('id', other.id::text, 'ref', other.ref,
    'pullRequestId',
    coalesce(substring(other.ref from '^(?:refs/)?(?:pull|merge-requests|pull-requests)/([0-9]+)'), ''),
    'aggregateState', ${aggregate(sql`other.status`, sql`other.is_muted`)},
    'createdAt', to_char(other.detected_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by other.id),
    '[]') from (${placesOf(anywhere)}) as other where other.branch_id <> place.branch_id)`;

const exception = sql`(select jsonb_strip_nulls(jsonb_build_object(
    'exceptionState', 'FINDING_EXCEPTION_REQUEST_STATE_' || upper(asked.state), 'requesterLogin', asked.requester,
    'requesterName', asked.requester_name, 'requesterNote', asked.note,
    'requesterTriageReason', ${reasonName(sql`asked.reason`)},
    'requesterActionSource', 'FINDING_EXCEPTION_REQUEST_SOURCE_' || case asked.source when 'platform'
      then 'SERVICE_APPSEC_PLATFORM' when 'comment' then 'SCM_COMMENT' else 'API' end,
    'reviewerLogin', coalesce(asked.reviewer, ''), 'reviewerName', coalesce(asked.reviewer_name, ''),
    'requestId', asked.id::text, 'reviewId', case when asked.reviewer is null then '' else asked.id::text end,
    'issueId', asked.finding_id::text,
    'createdAt', to_char(asked.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'reviewedAt', to_char(asked.reviewed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
  from exception_request as asked where asked.deployment_id = finding.deployment_id and asked.finding_id = finding.id
  order by asked.id desc limit 1)`;

const texts = (value: Sql) => sql`
  case jsonb_typeof(${value}) when 'array' then ${value} when 'string' then jsonb_build_array(${value})
       else '[]'::jsonb end`;

const metadata = (name: string) => sql`finding.detail->'metadata'->${name}::text`;
const url = lineUrl({ commit: sql`place.commit`, path: sql`place.path`, line: sql`place.line` });

const snippets = sql`case when coalesce(finding.context, finding.code) is null then '[]'::jsonb else jsonb_build_array(
  jsonb_build_object('path', place.path, 'content', coalesce(finding.context, finding.code))) end`;

const remediation = sql`case when finding.detail ? 'fix' then jsonb_build_object('issueId', finding.id::text,
  'matchBasedId', coalesce(finding.match_based_id, ''), 'autofix', jsonb_build_object('id', '',
    'fixCode', finding.detail->>'fix', 'fixDiff', '', 'explanation', '', 'url', '')) end`;

const stateColumns = sql`
  wanted.id, finding.first_seen_at as "createdAt", place.ref, coalesce(finding.syntactic_id, '') as "syntacticId",
  coalesce(finding.match_based_id, 'finding-' || finding.id) as "matchBasedId", finding.rule as "ruleId",
  'ISSUE_STATUS_' || case when shown.status in ('fixed', 'removed') then upper(shown.status)
    when shown.is_muted then 'MUTED' else 'UNRESOLVED' end as status,
  ${repository} as repository, ${scan(sql`place.first_scan_id`)} as "firstSeenScan",
  ${stateName(sql`finding.triage_state`)} as "triageState",
  case when finding.triage_state = 'ignored'
    then ${reasonName(sql`coalesce(finding.triage_reason, 'no_triage_reason')`)} end as "triageReason",
  finding.relevant_since as "relevantSince", ${aggregate(sql`shown.status`, sql`shown.is_muted`)} as "aggregateState",
  coalesce(finding.triage_note, '') as note, coalesce(finding.advisory, '') as "vulnGroupKey",
  finding.mode = 'block' as "isBlocking"`;

const codeColumns = sql`
  coalesce(${url}, '') as "lineOfCodeUrl", ${related} as "relatedIssues", '[]'::jsonb as "activityHistory",
  case when project.url ~ '^https?://' and place.commit is not null
    then rtrim(project.url, '/') || '/commit/' || place.commit else '' end as "commitUrl",
  ${scan(sql`coalesce(case when place.state = 'detected' then place.last_scan_id end, place.changed_scan_id)`)}
    as "lastSeenScan",
  place.path as "filePath", place.line, place.end_line as "endLine", place.start_column as "column",
  place.end_column as "endColumn"`;

const ruleColumns = sql`
  ${severity} as severity, (${[...SEVERITY_NAMES]}::text[])[finding.severity + 1] as "exactSeverity",
  finding.message, finding.rule as "rulePath",
  'CONFIDENCE_' || (array['LOW', 'MEDIUM', 'HIGH'])[greatest(finding.confidence, 1)] as confidence,
  coalesce(finding.detail->>'helpUrl', finding.detail #>> '{metadata,source}', '') as "ruleUrl",
  ${texts(sql`finding.detail->'references'`)} as "ruleReferences",
  'RULE_ORIGIN_' || case finding.detail #>> '{metadata,semgrep.dev,rule,origin}' when 'pro_rules' then 'PRO_RULES'
    when 'community' then 'COMMUNITY' else 'CUSTOM' end as "ruleOrigin",
  md5(finding.rule) as "ruleHashId",
  case when jsonb_typeof(${metadata('cwe')}) in ('array', 'string') then ${texts(metadata('cwe'))}
    else to_jsonb(finding.cwes) end as "ruleCweNames",
  to_jsonb(finding.owasps) as "ruleOwaspNames", '' as ruleset,
  case finding.mode when 'monitor' then 'rule-board-audit' when 'comment' then 'rule-board-pr-comments'
    when 'block' then 'rule-board-block' else '' end as "policySlug",
  finding.category, '[]'::jsonb as "ruleSupersededBy", 'ISSUE_TYPE_' || upper(finding.product) as "issueType",
  finding.id as "issueParentId", '[]'::jsonb as "ticketAttempts"`;

const otherColumns = sql`
  case when finding.product = 'sast' then '{}'::jsonb end as "sastAttributes", ${scaAttributes} as "scaAttributes",
  ${secretsAttributes} as "secretsAttributes", ${texts(metadata('subcategory'))} as subcategories,
  coalesce(${refUrl(sql`place.ref`)}, '') as "refUrl", '[]'::jsonb as codeowners,
  finding.title as "ruleDisplayName", '' as "clickToFixPrUrl", coalesce(finding.detail->>'impact', '') as "aiImpact",
  '[]'::jsonb as "aiExploitConditions", '' as "clickToFixCommitMsg", ${exception} as "exceptionRequest",
  '' as "clickToFixPrId"`;

export interface Included {
  remediation?: boolean | undefined;
  codeSnippets?: boolean | undefined;
  isArchived?: boolean | undefined;
  firstDetectedAt?: boolean | undefined;
  permission: string;
}

const includedColumns = ({ remediation: fix, codeSnippets, isArchived, firstDetectedAt, permission }: Included) => sql`
  ${fix ? remediation : sql`null::jsonb`} as remediation,
  ${codeSnippets ? sql`coalesce(finding.code, '')` : sql`''::text`} as "codeSnippet",
  ${codeSnippets ? snippets : sql`'[]'::jsonb`} as "codeSnippets",
  ${isArchived ? sql`project.archived_at is not null` : sql`false`} as "isArchived",
  ${firstDetectedAt ? sql`finding.first_seen_at` : sql`null::timestamptz`} as "firstDetectedAt",
  ${permission}::text as "triagePermission"`;

/** The findings that ids of them or of their detections name, with the place that is shown of each. */
const wantedPlaces = (ids: readonly string[]) => sql`
  from (${namedFindings(ids)}) as wanted
  cross join ${findingOf(sql`wanted.finding_id`)}
  join project on project.deployment_id = finding.deployment_id and project.id = finding.project_id
  cross join lateral (${mainPlaceOf(anywhere, sql`wanted.id`)}) as place
  cross join lateral (select
    case when wanted.id = finding.id then ${shownStatus} else place.status end as status,
    case when wanted.id = finding.id then finding.is_muted else place.is_muted end as is_muted) as shown`;

/** The issues of these ids, in their order; the caller has chosen them from what may be seen. */
export const findMany = (tx: Tx, ids: readonly string[], included: Included): Promise<Issue[]> =>
  tx.all(Issue)`
    select ${stateColumns}, ${codeColumns}, ${ruleColumns}, ${otherColumns}, ${includedColumns(included)}
    ${wantedPlaces(ids)}
    order by wanted.position`;

/** The code of an issue, as far as the scanner sent it. */
export async function findSnippets(tx: Tx, id: string): Promise<{ path: string; content: string }[]> {
  const [row] = await tx.rows`select ${snippets} as snippets ${wantedPlaces([id])}`;
  return (row?.['snippets'] ?? []) as { path: string; content: string }[];
}

/** The way of the data, as the scanner sent it. */
export async function findTrace(tx: Tx, id: string): Promise<unknown> {
  const [row] = await tx.rows`
    select finding.detail->'trace' as trace
    from (${namedFindings([id])}) as wanted cross join ${findingOf(sql`wanted.finding_id`)}`;
  return row?.['trace'];
}

export async function versionOf(tx: Tx, id: string): Promise<string> {
  const [row] = await tx.rows`
    select finding.version from (${namedFindings([id])}) as wanted cross join ${findingOf(sql`wanted.finding_id`)}`;
  return String(row?.['version']);
}

/** How many refs these findings are or were on: what older clients call issues. */
export async function countPlaces(tx: Tx, findings: readonly string[]): Promise<number> {
  const [row] = await tx.rows`
    select count(distinct (detection.finding_id, analysis.branch_id))::integer as count from detection
    join analysis on analysis.deployment_id = detection.deployment_id and analysis.id = detection.analysis_id
    where detection.deployment_id = (select current_deployment())
      and detection.finding_id = any(${findings}::bigint[])`;
  return Number(row?.['count']);
}
