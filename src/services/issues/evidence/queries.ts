import { z } from 'zod';
import { detectionsWithRefs, ofFinding, statusOnRef } from '#domain/findings/filter/finding-conditions.ts';
import type { CallerContext } from '#domain/findings/filter/finding-filter.ts';
import { findingsByIds } from '#domain/findings/filter/finding-ids.ts';
import { allMatchingSql } from '#domain/findings/filter/finding-list.ts';
import { findingById } from '#domain/findings/filter/locations.ts';
import { exactMatches } from '#domain/findings/filter/text-match.ts';
import { formatQuery } from '#domain/query/format-query.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { count } from '#kernel/contract/proto-fields.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { aggregateStateName } from '../list/enum-names.ts';
import { EvidenceEvent, EvidenceMatch, EvidenceRef, EvidenceSighting, type IssueEvidence } from './contract.ts';
import { linkSentence, matchSentence } from './evidence-sentences.ts';

const MAX_MATCHES = 100;
const MAX_EVENTS = 200;
const MAX_LINKS = 20;

/** A detected finding was last seen by the latest scan; any other one when its detection changed. */
const lastSeenAt = sql`case when detection.state = 'detected' then coalesce(analysis.last_scanned_at,
  detection.changed_at) else detection.changed_at end`;
const lastScan = sql`case when detection.state = 'detected' then coalesce(analysis.last_scan_id,
  detection.changed_scan_id) else detection.changed_scan_id end`;

/** The scan of a sighting: who started it, its commit and its ref. */
const sighting = (at: Sql, scanId: Sql) => sql`
  select ${at} as at, ${scanId} as scan_id, coalesce(scan.commit, '') as commit, coalesce(scanned_ref.ref, '') as ref,
    coalesce((select batch.actor from finding_batch as batch where batch.deployment_id = scan.deployment_id
      and batch.scan_id = scan.id order by batch.id limit 1), '') as by
  from (select) as once
  left join scan on scan.deployment_id = (select current_deployment()) and scan.id = ${scanId}
  left join project_ref as scanned_ref on scanned_ref.deployment_id = scan.deployment_id
    and scanned_ref.id = scan.ref_id`;

const Summary = z.object({
  id: z.string(),
  rule: z.string(),
  firstSeen: EvidenceSighting,
  lastSeen: EvidenceSighting,
});

const sightingJson = (subquery: Sql) => sql`(select jsonb_build_object('at', to_char(seen.at at time zone 'UTC',
    'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'scanId', seen.scan_id::text, 'commit', seen.commit, 'ref', seen.ref,
    'by', seen.by) from (${subquery}) as seen)`;

async function findSummary(tx: Tx, id: string): Promise<z.output<typeof Summary>> {
  const summary = await tx.one(Summary)`
    select finding.id, finding.rule, ${sightingJson(sighting(sql`finding.first_seen_at`, sql`finding.first_scan_id`))}
        as "firstSeen",
      coalesce((select ${sightingJson(sighting(sql`latest.at`, sql`latest.scan_id`))}
        from (select ${lastSeenAt} as at, ${lastScan} as scan_id from ${detectionsWithRefs} where ${ofFinding}
          order by detection.state = 'detected' desc, 1 desc limit 1) as latest),
        ${sightingJson(sighting(sql`finding.first_seen_at`, sql`finding.first_scan_id`))}) as "lastSeen"
    from (${findingsByIds([id])}) as named cross join ${findingById(sql`named.finding_id`)}`;
  if (!summary) throw NOT_FOUND();
  return summary;
}

const listRefs = (tx: Tx, finding: string) =>
  tx.all(EvidenceRef)`
    select distinct on (is_primary, ref, ref_id) seen.ref_id as "refId", seen.ref,
      seen.is_primary as "isPrimary", ${aggregateStateName(sql`seen.status`, sql`seen.is_muted`)} as status, seen.path,
      seen.line, seen.first_at as "firstSeenAt", seen.last_at as "lastSeenAt"
    from (
      select analysis.ref_id, project_ref.ref, ${statusOnRef} as status, detection.is_muted, detection.path,
        detection.line, detection.state, detection.changed_at,
        coalesce(project_ref.ref = coalesce(project.primary_branch, project.default_branch), false) as is_primary,
        min(coalesce(scan.started_at, detection.detected_at)) over (partition by analysis.ref_id) as first_at,
        max(${lastSeenAt}) over (partition by analysis.ref_id) as last_at
      from finding
      join project on project.deployment_id = finding.deployment_id and project.id = finding.project_id
      join (${detectionsWithRefs} left join scan on scan.deployment_id = detection.deployment_id
        and scan.id = detection.first_scan_id) on ${ofFinding}
      where finding.deployment_id = (select current_deployment()) and finding.id = ${finding}) as seen
    order by is_primary desc, ref, ref_id, state = 'detected' desc, state = 'fixed' desc, changed_at desc`;

const locationOf = (facts: Sql) => sql`case when ${facts} ? 'path' then jsonb_build_object('path', ${facts}->>'path',
  'line', (${facts}->>'line')::integer) end`;

const MatchRow = EvidenceMatch.omit({ sentence: true });

/** Matches from events; for detections without an event, from the detection itself. */
async function listMatches(tx: Tx, finding: string): Promise<z.output<typeof EvidenceMatch>[]> {
  const rows = await tx.all(MatchRow)`
    select * from (
      select event.at, batch.scan_id as "scanId", event.after->>'pass' as tier,
        ${locationOf(sql`event.before`)} as from,
        ${locationOf(sql`event.after`)} as to
      from finding_event as event
      join finding_batch as batch on batch.deployment_id = event.deployment_id and batch.id = event.batch_id
      where event.deployment_id = (select current_deployment()) and event.finding_id = ${finding}
        and event.after ? 'pass' and batch.scan_id is not null
      union all
      select detection.changed_at, detection.changed_scan_id, detection.evidence, null,
        jsonb_build_object('path', detection.path, 'line', detection.line)
      from detection
      where detection.deployment_id = (select current_deployment()) and detection.finding_id = ${finding}
        and detection.state = 'detected' and not exists (
          select from finding_event as event
          join finding_batch as batch on batch.deployment_id = event.deployment_id and batch.id = event.batch_id
          where event.deployment_id = detection.deployment_id and event.finding_id = detection.finding_id
            and event.analysis_id = detection.analysis_id and batch.scan_id = detection.changed_scan_id
            and event.after ? 'pass')) as matched
    order by at desc, "scanId" desc limit ${MAX_MATCHES}::int`;
  return rows.map((row) => ({ ...row, sentence: matchSentence(row.tier, row.from, row.to) }));
}

const listEvents = (tx: Tx, finding: string, { canTriage, canIgnore }: TriageRights) =>
  tx.all(EvidenceEvent)`
    select event.id, event.at, event.kind, batch.actor as by, event.batch_id as "batchId",
      ${canTriage}::boolean and event.kind = 'triaged' and batch.kind in ('triage', 'undo', 'expiry')
        and (${canIgnore}::boolean or event.before->>'state' is distinct from 'ignored')
        and not exists (select from finding_event as later where later.deployment_id = event.deployment_id
          and later.finding_id = event.finding_id and later.kind = 'triaged' and later.id > event.id) as "canUndo",
      jsonb_strip_nulls(event.before) as before, jsonb_strip_nulls(event.after) as after,
      coalesce(event.after->>'note', '') as note
    from finding_event as event
    join finding_batch as batch on batch.deployment_id = event.deployment_id and batch.id = event.batch_id
    where event.deployment_id = (select current_deployment()) and event.finding_id = ${finding}
    order by event.id desc limit ${MAX_EVENTS}::int`;

const SameRuleRow = z.object({ open: count(), fixed: count(), ignored: count(), falsePositive: count() });

async function countSameRule(tx: Tx, context: CallerContext, rule: string): Promise<IssueEvidence['sameRule']> {
  const number = (condition: Sql) => sql`count(*) filter (where ${condition})`;
  const counts = await tx.one(SameRuleRow)`
    select ${number(sql`finding.status = 'open'`)} as open, ${number(sql`finding.status = 'fixed'`)} as fixed,
      ${number(sql`finding.status = 'ignored'`)} as ignored,
      ${number(sql`finding.status = 'ignored' and finding.triage_reason = 'false_positive'`)} as "falsePositive"
    from finding where ${await allMatchingSql(tx, context, { rules: exactMatches([rule]) })}`;
  if (!counts) throw new Error('The counts of a rule have no row.');
  return {
    ...counts,
    q: formatQuery({ terms: [{ key: 'rule', isNot: false, values: [{ kind: 'exact', value: rule }] }] }),
  };
}

const LinkRow = z.object({
  issueId: z.string(),
  relation: z.string(),
  evidence: z.record(z.string(), z.unknown()),
  title: z.string(),
  path: z.string(),
});

/** Possible duplicates. They are in the same project, so the caller may see them too. */
async function listSuggestions(tx: Tx, finding: string): Promise<IssueEvidence['suggestions']> {
  const links = await tx.all(LinkRow)`
    select other.id as "issueId", link.relation, link.evidence, other.title, other.path
    from (
      select other_id as id, relation, evidence from finding_link
      where deployment_id = (select current_deployment()) and finding_id = ${finding}
      union all
      select finding_id, relation, evidence from finding_link
      where deployment_id = (select current_deployment()) and other_id = ${finding}) as link
    join finding as other on other.deployment_id = (select current_deployment()) and other.id = link.id
    where link.relation in ('possibly_same', 'same_weakness')
    order by other.id desc limit ${MAX_LINKS}::int`;
  return links.map((link) => ({
    issueId: link.issueId as IssueEvidence['suggestions'][number]['issueId'],
    sentence: linkSentence(link),
  }));
}

export interface TriageRights {
  canTriage: boolean;
  canIgnore: boolean;
}

/** The evidence of a finding. The caller must have checked that it is visible. */
export async function findIssueEvidence(
  tx: Tx,
  context: CallerContext,
  id: string,
  rights: TriageRights,
): Promise<IssueEvidence> {
  const { id: finding, rule, firstSeen, lastSeen } = await findSummary(tx, id);
  return {
    firstSeen,
    lastSeen,
    refs: await listRefs(tx, finding),
    matches: await listMatches(tx, finding),
    events: await listEvents(tx, finding, rights),
    sameRule: await countSameRule(tx, context, rule),
    suggestions: await listSuggestions(tx, finding),
  };
}
