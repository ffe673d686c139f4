import { displayStatus } from '#domain/findings/filter/finding-conditions.ts';
import { lineUrl } from '#domain/findings/filter/locations.ts';
import { v1TicketJson } from '#domain/ticketing/ticket-json.ts';
import { jsonText, jsonObject as textOfMembers } from '#kernel/db/query/json-sql.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';

/**
 * SQL that builds the JSON text of a v1 finding, with members in the order that clients expect. Needs `finding`,
 * `place` and `project`.
 */

/** An object whose members are JSON text or null. */
const objectText = (members: Record<string, Sql>): Sql =>
  textOfMembers(Object.fromEntries(Object.entries(members).map(([name, value]) => [name, jsonText(value)])));

/** A string that needs no escaping; null if the value is null. */
const bare = (value: Sql): Sql => sql`'"' || ${value} || '"'`;

const text = (value: Sql) => sql`to_json(${value})::text`;
const number = (value: Sql) => sql`(${value})::text`;
const empty = sql`'[]'`;
const moment = (value: Sql) => bare(sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`);

/** Metadata may hold one string or an array of strings. */
const texts = (value: Sql) => sql`
  case jsonb_typeof(${value}) when 'array' then (${value})::text when 'string' then '[' || (${value})::text || ']'
       else '[]' end`;

const metadata = (name: string) => sql`finding.detail->'metadata'->${name}::text`;
const confidence = bare(sql`(array['low', 'medium', 'high'])[greatest(finding.confidence, 1)]`);
const url = lineUrl({ commit: sql`place.commit`, path: sql`place.path`, line: sql`place.line` });

const location = (more: Record<string, Sql> = {}) =>
  objectText({
    file_path: text(sql`place.path`),
    line: number(sql`place.line`),
    column: number(sql`place.start_column`),
    end_line: number(sql`place.end_line`),
    end_column: number(sql`place.end_column`),
    ...more,
  });

const common = (isDeduplicated: boolean): Record<string, Sql> => ({
  id: number(isDeduplicated ? sql`finding.id` : sql`place.id`),
  ref: text(sql`place.ref`),
  syntactic_id: text(sql`coalesce(finding.syntactic_id, '')`),
  match_based_id: text(sql`coalesce(finding.match_based_id, 'finding-' || finding.id)`),
  repository: objectText({ name: text(sql`project.name`), url: text(sql`project.url`) }),
  line_of_code_url: text(url),
  first_seen_scan_id: number(sql`place.first_scan_id`),
  state: bare(sql`case when place.state = 'fixed' then 'fixed' when place.is_muted then 'muted' else 'unresolved' end`),
  triage_state: bare(sql`finding.triage_state`),
  status: bare(isDeduplicated ? sql`shown.status` : sql`place.status`),
  confidence,
  created_at: moment(sql`finding.first_seen_at`),
  relevant_since: moment(sql`finding.relevant_since`),
  rule_name: text(sql`finding.rule`),
  rule_message: text(sql`finding.message`),
  location: location(),
  triaged_at: moment(sql`finding.triaged_at`),
  triage_comment: text(sql`finding.triage_note`),
  triage_reason: bare(sql`case when finding.triage_state = 'ignored'
    then coalesce(finding.triage_reason, 'no_triage_reason') end`),
  state_updated_at: moment(sql`greatest(place.changed_at, finding.first_seen_at)`),
});

const categories = { categories: sql`'[' || ${text(sql`finding.category`)} || ']'` };

const rule: Record<string, Sql> = {
  rule: objectText({
    name: text(sql`finding.rule`),
    message: text(sql`finding.message`),
    confidence,
    category: text(sql`finding.category`),
    subcategories: texts(metadata('subcategory')),
    vulnerability_classes: texts(metadata('vulnerability_class')),
    cwe_names: sql`case when jsonb_typeof(${metadata('cwe')}) in ('array', 'string') then ${texts(metadata('cwe'))}
      else to_json(finding.cwes)::text end`,
    owasp_names: text(sql`finding.owasps`),
  }),
  external_ticket: v1TicketJson,
  severity: bare(sql`(array['low', 'medium', 'high', 'critical'])[greatest(finding.severity, 1)]`),
  review_comments: empty,
};

const fixes = { click_to_fix_prs: empty, click_to_fix_failures: empty };

/** The columns of a ruleboard, which v1 calls policies. */
const policy = sql`case finding.mode
  when 'monitor' then '{"id":1,"name":"Rule Board - Audit column","slug":"rule-board-audit"}'
  when 'comment' then '{"id":2,"name":"Rule Board - PR Comments column","slug":"rule-board-pr-comments"}'
  when 'block' then '{"id":3,"name":"Rule Board - Block column","slug":"rule-board-block"}' end`;

const advice = {
  sourcing_policy: policy,
  assistant: sql`'{"autofix":null,"autotriage":null,"guidance":null,"component":null,"rule_explanation":null}'`,
};

/** A reachable vulnerability is located where the code uses it, any other one in the lockfile. */
const isUsed = sql`finding.reachability = 'reachable'`;

const dependency: Record<string, Sql> = {
  vulnerability_identifier: text(sql`coalesce(finding.advisory, '')`),
  reachability: bare(sql`coalesce(replace(finding.reachability, '_', ' '), 'no reachability analysis')`),
  reachable_condition: text(sql`finding.detail->>'reachableCondition'`),
  found_dependency: objectText({
    package: text(sql`coalesce(finding.package, '')`),
    version: text(sql`coalesce(finding.package_version, '')`),
    ecosystem: text(sql`coalesce(finding.ecosystem, 'no_package_manager')`),
    transitivity: text(sql`coalesce(finding.transitivity, 'unknown')`),
    lockfile_line_url: text(sql`case when ${isUsed} then null else ${url} end`),
  }),
  epss_score: sql`case when finding.detail->'epss' ? 'score' then json_build_object(
    'score', finding.detail->'epss'->'score', 'percentile', coalesce(finding.detail->'epss'->'percentile', '0'))::text
    end`,
  fix_recommendations: sql`(select coalesce(json_agg(json_build_object('package', finding.package, 'version',
      fixed.version)), '[]')::text
    from jsonb_array_elements_text(coalesce(finding.detail->'fixVersions', '[]')) as fixed (version))`,
  is_malicious: sql`coalesce(finding.detail->>'isMalicious' = 'true', false)::text`,
  usage: sql`case when ${isUsed} then ${objectText({
    location: location({
      path: text(sql`place.path`),
      start_line: number(sql`place.line`),
      start_col: number(sql`place.start_column`),
      end_col: number(sql`place.end_column`),
      url: text(url),
    }),
    external_ticket: v1TicketJson,
  })} end`,
};

/** The record of a finding of any product, with its state on one ref or over all refs. */
export function findingRecordJson(isDeduplicated: boolean): Sql {
  const own = common(isDeduplicated);
  return sql`
    case finding.product
      when 'sca' then ${objectText({ ...own, ...categories, ...rule, ...dependency })}
      when 'ai_sast' then ${objectText({
        ...own,
        ...rule,
        ...fixes,
        ...advice,
        ai_impact: text(sql`coalesce(finding.detail->>'impact', '')`),
      })}
      else ${objectText({ ...own, ...categories, ...rule, ...fixes, ...advice })} end`;
}

/** The status of a finding over all of its refs, or on the requested ones. */
export const overallStatus = (isOfRefs: boolean): Sql => (isOfRefs ? sql`place.status` : displayStatus);
