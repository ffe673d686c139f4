import type { World } from './world.ts';

/** What the seed of a demo determines: all visible data, without ids, keys and names that contain the slug. */
const PARTS: Record<string, string> = {
  findings: `
    select project.name, product, rule, title, message, severity, confidence, path, line, code, finding.context, mode,
      advisory, package, package_version, reachability, secret_type, validation, state, status, first_seen_at,
      relevant_since, fixed_at, reopened_count, triage_state, triage_reason, triage_note, triaged_at, triage_until,
      split_part(triaged_by, '@', 1) as triaged_by, match_based_id, syntactic_id,
      detail #- '{metadata,semgrep.policy}' #- '{metadata,semgrep.dev.rule}'
        #- '{metadata,source}' #- '{metadata,shortlink}' #- '{metadata,semgrep.url}' as detail
    from finding join project on project.id = finding.project_id`,
  events: `
    select finding.match_based_id, finding_event.kind, finding_event.at, split_part(actor, '@', 1) as actor,
      finding_event.before - 'by' - 'assignee' as before, finding_event.after - 'by' - 'assignee' as after
    from finding_event join finding on finding.id = finding_id join finding_batch on finding_batch.id = batch_id`,
  scans: `
    select project.name, ref, scan.mode, status, commit, meta, started_at, completed_at, found_code,
      found_supply_chain, found_secrets, changes, exit_code
    from scan join project on project.id = scan.project_id left join project_ref on project_ref.id = ref_id`,
  branches: `select ref, kind, seen_at from project_ref`,
  episodes: `
    select project.name, rule_id, severity, is_eligible, started_at, shown_at, silenced_at, decided_at, decided_state,
      ended_at, end_reason, end_class from guardrail_episode join project on project.id = project_id`,
  requests: `select state, requester_name, note, created_at, reviewer_name, reviewed_at from exception_request`,
  dependencies: `select path, package, version, transitivity, licenses, seen_at from dependency`,
  teams: `select name, created_at from team`,
  rules: `select kind, path, mode, changed_at from ruleboard_item`,
};

/** One digest for each part, equal if all rows of the part are equal. */
export async function demoDigest(world: World, deployment: string): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const [name, text] of Object.entries(PARTS)) {
    const owner = /from (\w+)/.exec(text)?.[1] ?? '';
    const rows = await world.queryAsOwner<{ count: string; digest: string }>(
      `select count(*) as count, md5(string_agg(part::text, E'\\n' order by part::text collate "C")) as digest
       from (${text} where ${owner}.deployment_id = $1) as part`,
      [deployment],
    );
    digests[name] = `${rows[0]?.count} ${rows[0]?.digest}`;
  }
  return digests;
}
