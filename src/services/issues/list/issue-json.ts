import { lineUrl, refUrl, scmType } from '#domain/findings/filter/locations.ts';
import { SEVERITY_NAMES } from '#domain/findings/shape.ts';
import { externalTicketJson, ticketAttemptsJson } from '#domain/ticketing/ticket-json.ts';
import {
  escapedJson,
  fixed,
  flag,
  type JsonMember,
  jsonArray,
  jsonObject,
  jsonText,
  number,
  optional,
  quotedJson,
  text,
  timestampText,
  unescaped,
} from '#kernel/db/query/json-sql.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import { aggregateStateName, exceptionSourceName, triageReasonName, triageStateName } from './enum-names.ts';
import { issueHistoryJson } from './history-json.ts';

/** SQL that builds the JSON text of an issue, with members in the order of its schema. Needs the joins of the store. */

type Members = Record<string, JsonMember>;

const scan = (id: Sql) => jsonText(jsonObject({ id: unescaped(id), meta: fixed({}) }));
const severity = unescaped(
  sql`'SEVERITY_' || (array['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'])[greatest(finding.severity, 1)]`,
);
const pullRequest = (ref: Sql) =>
  sql`coalesce(substring(${ref} from '^(?:refs/)?(?:pull|merge-requests|pull-requests)/([0-9]+)'), '')`;

/** The same finding on another ref. The query must provide `place`. */
export const relatedIssueJson = jsonObject({
  id: unescaped(sql`place.id`),
  ref: text(sql`place.ref`),
  pullRequestId: unescaped(pullRequest(sql`place.ref`)),
  aggregateState: unescaped(aggregateStateName(sql`place.status`, sql`place.is_muted`)),
  createdAt: unescaped(timestampText(sql`place.detected_at`)),
});

/** Metadata may hold one string or an array of strings; other values are ignored. */
const texts = (value: Sql) =>
  sql`coalesce(jsonb_path_query_array(${value}, '$[*] ? (@.type() == "string")')::text, '[]')`;

const metadata = (name: string) => sql`finding.detail->'metadata'->${name}::text`;
const url = lineUrl({ commit: sql`place.commit`, path: sql`place.path`, line: sql`place.line` });

const refText = (id: Sql, ref: Sql) => jsonObject({ id: unescaped(id), ref: text(ref) });

const repository = jsonObject({
  name: text(sql`project.name`),
  id: unescaped(sql`project.id`),
  type: unescaped(scmType),
  primaryRef: optional(sql`case when place.ref = place.primary_ref
    then ${refText(sql`place.ref_id`, sql`place.ref`)}
    else (select ${refText(sql`home.id`, sql`home.ref`)} from project_ref as home
      where home.deployment_id = finding.deployment_id and home.project_id = finding.project_id
        and home.ref = place.primary_ref) end`),
});

/** Read for each issue that has one; most have none. */
const assignee = sql`case when finding.assignee_id is not null then (
  select ${jsonObject({ id: unescaped(sql`person.id`), name: text(sql`person.name`), email: text(sql`person.email`) })}
  from account as person where person.id = finding.assignee_id) end`;

const state: Members = {
  id: unescaped(sql`place.wanted_id`),
  createdAt: unescaped(timestampText(sql`finding.first_seen_at`)),
  ref: text(sql`place.ref`),
  syntacticId: text(sql`finding.syntactic_id`),
  matchBasedId: text(sql`coalesce(finding.match_based_id, 'finding-' || finding.id)`),
  ruleId: text(sql`finding.rule`),
  status: unescaped(sql`'ISSUE_STATUS_' || case when shown.status in ('fixed', 'removed') then upper(shown.status)
    when shown.is_muted then 'MUTED' else 'UNRESOLVED' end`),
  repository: jsonText(repository),
  firstSeenScan: scan(sql`place.first_scan_id`),
  triageState: unescaped(triageStateName(sql`finding.triage_state`)),
  triageReason: optional(
    quotedJson(sql`case when finding.triage_state = 'ignored'
      then ${triageReasonName(sql`coalesce(finding.triage_reason, 'no_triage_reason')`)} end`),
  ),
  relevantSince: unescaped(timestampText(sql`finding.relevant_since`)),
  aggregateState: unescaped(aggregateStateName(sql`shown.status`, sql`shown.is_muted`)),
  note: text(sql`finding.triage_note`),
  externalTicket: optional(externalTicketJson),
  vulnGroupKey: text(sql`finding.advisory`),
  isBlocking: flag(sql`finding.mode = 'block'`),
  assignee: optional(assignee),
};

const rule: Members = {
  severity,
  exactSeverity: unescaped(sql`(${[...SEVERITY_NAMES]}::text[])[finding.severity + 1]`),
  message: text(sql`finding.message`),
  rulePath: text(sql`finding.rule`),
  confidence: unescaped(sql`'CONFIDENCE_' || (array['LOW', 'MEDIUM', 'HIGH'])[greatest(finding.confidence, 1)]`),
  ruleUrl: text(sql`coalesce(finding.detail->>'helpUrl', finding.detail #>> '{metadata,source}')`),
  ruleReferences: jsonText(texts(sql`finding.detail->'references'`)),
  ruleOrigin: unescaped(sql`'RULE_ORIGIN_' || case finding.detail #>> '{metadata,semgrep.dev,rule,origin}'
    when 'pro_rules' then 'PRO_RULES' when 'community' then 'COMMUNITY' else 'CUSTOM' end`),
  ruleHashId: unescaped(sql`md5(finding.rule)`),
  ruleCweNames: jsonText(sql`case when jsonb_typeof(${metadata('cwe')}) in ('array', 'string')
    then ${texts(metadata('cwe'))} else ${escapedJson(sql`finding.cwes`)} end`),
  ruleOwaspNames: jsonText(escapedJson(sql`finding.owasps`)),
  ruleset: fixed(''),
  policySlug: unescaped(sql`case finding.mode when 'monitor' then 'rule-board-audit' when 'comment'
    then 'rule-board-pr-comments' when 'block' then 'rule-board-block' else '' end`),
  category: text(sql`finding.category`),
  ruleSupersededBy: fixed([]),
  issueType: unescaped(sql`'ISSUE_TYPE_' || upper(finding.product)`),
  issueParentId: unescaped(sql`finding.id`),
  ticketAttempts: jsonText(ticketAttemptsJson),
};

const dependency = jsonObject({
  package: text(sql`finding.package`),
  version: text(sql`finding.package_version`),
  transitivity: unescaped(sql`case finding.transitivity when 'direct' then 'DIRECT' when 'transitive' then 'TRANSITIVE'
    else 'UNKNOWN_TRANSITIVITY' end`),
  lockfileLineUrl: fixed(''),
  filePath: text(sql`case when finding.reachability = 'reachable' then '' else place.path end`),
  ecosystem: text(sql`coalesce(finding.ecosystem, 'no_package_manager')`),
  manifestFilePath: fixed(''),
});

const fix = jsonObject({ package: text(sql`finding.package`), version: text(sql`fixed.version`) });
const fixVersions = sql`
  jsonb_array_elements_text(coalesce(finding.detail->'fixVersions', '[]'))
    with ordinality as fixed (version, position)`;

const scaAttributes = jsonObject({
  severity,
  vulnDatabaseIdentifier: text(sql`finding.advisory`),
  reachability: unescaped(sql`'REACHABILITY_' || upper(coalesce(replace(finding.reachability, ' ', '_'), 'unknown'))`),
  reachableCondition: text(sql`finding.detail->>'reachableCondition'`),
  cwes: jsonText(escapedJson(sql`finding.cwes`)),
  foundDependency: jsonText(dependency),
  fixRecommendations: jsonText(sql`(select ${jsonArray(fix, sql`fixed.position`)} from ${fixVersions})`),
  bestFix: optional(sql`(select ${fix} from ${fixVersions} order by fixed.position limit 1)`),
  scaRuleKind: optional(
    quotedJson(sql`case finding.detail #>> '{metadata,sca-kind}' when 'reachable' then 'SCA_RULE_KIND_REACHABLE'
      when 'upgrade-only' then 'SCA_RULE_KIND_UPGRADE_ONLY' when 'malicious' then 'SCA_RULE_KIND_MALICIOUS_DEPENDENCY'
      when 'legacy' then 'SCA_RULE_KIND_LEGACY' end`),
  ),
  introducedBy: fixed([]),
});

const secretsAttributes = jsonObject({
  validationState: unescaped(sql`'VALIDATION_STATE_' || upper(coalesce(finding.validation, 'no_validator'))`),
  secretType: text(sql`finding.secret_type`),
});

const exception = jsonObject({
  exceptionState: unescaped(sql`'FINDING_EXCEPTION_REQUEST_STATE_' || upper(request.state)`),
  requesterLogin: text(sql`request.requester`),
  requesterName: text(sql`request.requester_name`),
  requesterNote: text(sql`request.note`),
  requesterTriageReason: optional(quotedJson(triageReasonName(sql`request.reason`))),
  requesterActionSource: unescaped(exceptionSourceName(sql`request.source`)),
  reviewerLogin: text(sql`request.reviewer`),
  reviewerName: text(sql`request.reviewer_name`),
  requestId: unescaped(sql`request.id`),
  reviewId: unescaped(sql`case when request.reviewer is null then '' else request.id::text end`),
  issueId: unescaped(sql`request.finding_id`),
  createdAt: unescaped(timestampText(sql`request.created_at`)),
  reviewedAt: optional(quotedJson(timestampText(sql`request.reviewed_at`))),
});

const lastException = sql`(select ${exception} from exception_request as request
  where request.deployment_id = finding.deployment_id and request.finding_id = finding.id
  order by request.id desc limit 1)`;

const remediation = sql`case when finding.detail ? 'fix' then ${jsonObject({
  issueId: unescaped(sql`finding.id`),
  matchBasedId: text(sql`finding.match_based_id`),
  autofix: jsonText(
    jsonObject({
      id: fixed(''),
      fixCode: text(sql`finding.detail->>'fix'`),
      fixDiff: fixed(''),
      explanation: fixed(''),
      url: fixed(''),
    }),
  ),
})} end`;

/** The code that the scanner sent. The query must provide `finding` and `place`. */
export const codeSnippetsJson = sql`case when coalesce(finding.context, finding.code) is null then '[]' else '[' ||
  ${jsonObject({ path: text(sql`place.path`), content: text(sql`coalesce(finding.context, finding.code)`) })}
  || ']' end`;

const ofProduct = (product: Sql, attributes: Sql) =>
  optional(sql`case when finding.product = ${product} then ${attributes} end`);

export interface IncludedIssueParts {
  remediation?: boolean | undefined;
  codeSnippets?: boolean | undefined;
  isArchived?: boolean | undefined;
  firstDetectedAt?: boolean | undefined;
  activityHistory?: boolean | undefined;
}

/** Where there is no file: an address with method and parameter, or a resource with the part of it. */
const place = sql`case when finding.place_kind <> 'file' then ${jsonObject({
  kind: unescaped(sql`'PLACE_KIND_' || upper(finding.place_kind)`),
  name: text(sql`place.path`),
  part: text(sql`finding.scope`),
})} end`;

const codeMembers = (included: IncludedIssueParts): Members => ({
  lineOfCodeUrl: text(url),
  codeSnippet: included.codeSnippets ? text(sql`finding.code`) : fixed(''),
  commitUrl: text(sql`case when project.url ~ '^https?://' and place.commit is not null
    then rtrim(project.url, '/') || '/commit/' || place.commit end`),
  activityHistory: included.activityHistory ? jsonText(issueHistoryJson) : fixed([]),
  relatedIssues: jsonText(sql`'[' || coalesce(place.related, '') || ']'`),
  ...(included.remediation && { remediation: optional(remediation) }),
  lastSeenScan: scan(
    sql`coalesce(case when place.state = 'detected' then place.last_scan_id end, place.changed_scan_id)`,
  ),
  filePath: text(sql`place.path`),
  place: optional(place),
  line: number(sql`place.line`),
  endLine: number(sql`place.end_line`),
  column: number(sql`place.start_column`),
  endColumn: number(sql`place.end_column`),
});

const remainingMembers = (included: IncludedIssueParts): Members => ({
  sastAttributes: ofProduct(sql`'sast'`, sql`'{}'`),
  scaAttributes: ofProduct(sql`'sca'`, scaAttributes),
  secretsAttributes: ofProduct(sql`'secrets'`, secretsAttributes),
  subcategories: jsonText(texts(metadata('subcategory'))),
  refUrl: text(refUrl(sql`place.ref`)),
  codeowners: fixed([]),
  codeSnippets: included.codeSnippets ? jsonText(codeSnippetsJson) : fixed([]),
  ruleDisplayName: text(sql`finding.title`),
  clickToFixPrUrl: fixed(''),
  aiImpact: text(sql`finding.detail->>'impact'`),
  aiExploitConditions: fixed([]),
  clickToFixCommitMsg: fixed(''),
  exceptionRequest: optional(lastException),
  clickToFixPrId: fixed(''),
  triagePermission: unescaped(sql`viewer.permission`),
  isArchived: included.isArchived ? flag(sql`project.archived_at is not null`) : fixed(false),
  ...(included.firstDetectedAt && { firstDetectedAt: unescaped(timestampText(sql`finding.first_seen_at`)) }),
});

export const issueJson = (included: IncludedIssueParts): Sql =>
  jsonObject({ ...state, ...codeMembers(included), ...rule, ...remainingMembers(included) });
