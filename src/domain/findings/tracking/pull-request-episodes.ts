import { z } from 'zod';
import { RowId } from '#kernel/db/query/row-schemas.ts';
import { unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { endEpisodes, markEpisodesShown, startEpisodes } from '../guardrails/episodes.ts';
import type { ScanStamp } from './apply-matches.ts';
import type { TrackingTarget } from './candidates.ts';

const SEVERITIES = ['LOW', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'];
const CONFIDENCES = ['LOW', 'LOW', 'MEDIUM', 'HIGH'];
const FINDING_TYPES: Record<string, string> = { sca: 'SCA', secrets: 'SECRETS' };

const NewOnPullRequest = z.object({
  id: z.string(),
  rule: z.string(),
  category: z.string(),
  product: z.string(),
  severity: z.number(),
  confidence: z.number(),
  mode: z.string(),
});
const RefRow = z.object({ kind: z.string() });
const RunningEpisode = z.object({ id: z.string(), issue_key: z.string() });
const EndedEpisode = z.object({ id: z.string(), state: z.string(), is_removed: z.boolean() });

const issueKey = (finding: string) => `finding:${finding}`;

async function startPullRequestEpisodes(
  tx: Tx,
  { deployment, project }: TrackingTarget,
  { at }: ScanStamp,
): Promise<void> {
  const findings = await tx.all(NewOnPullRequest)`
    select finding.id, finding.rule, finding.category, finding.product, finding.severity, finding.confidence,
      finding.mode
    from seen join finding on finding.deployment_id = ${unestimated(deployment)} and finding.id = seen.finding_id
    where finding.state <> 'detected' and (seen.state is null or seen.state <> 'detected')`;
  if (findings.length === 0) return;
  await startEpisodes(
    tx,
    deployment,
    findings.map(({ id, rule, category, product, severity, confidence, mode }) => ({
      project,
      issue: issueKey(id),
      rule,
      category,
      findingType: `FINDING_TYPE_${FINDING_TYPES[product] ?? 'CODE'}`,
      severity: `FINDING_SEVERITY_${SEVERITIES[severity] ?? 'MEDIUM'}`,
      confidence: `FINDING_CONFIDENCE_${CONFIDENCES[confidence] ?? 'MEDIUM'}`,
      isEligible: mode === 'comment' || mode === 'block',
      at,
    })),
  );
}

/**
 * Guardrail episodes: one starts when a pull request has a finding that the primary ref does not have, and ends when it
 * is fixed on all pull requests, reaches the primary ref, or is abandoned.
 */
export async function trackEpisodes(tx: Tx, target: TrackingTarget, stamp: ScanStamp): Promise<void> {
  const { deployment, ref } = target;
  const scanned = await tx.one(
    RefRow,
  )`select kind from project_ref where deployment_id = ${unestimated(deployment)} and id = ${ref}`;
  if (scanned?.kind === 'pull' && !stamp.isPrimaryRef) await startPullRequestEpisodes(tx, target, stamp);
  await endFinishedEpisodes(tx, target, stamp);
}

/** Ends the episodes of a project whose findings are no longer on a pull request, or reached the primary ref. */
export async function endFinishedEpisodes(
  tx: Tx,
  { deployment, project }: Pick<TrackingTarget, 'deployment' | 'project'>,
  { at }: Pick<ScanStamp, 'at'>,
): Promise<void> {
  const running = await tx.all(RunningEpisode)`
    select id, issue_key from guardrail_episode
    where deployment_id = ${unestimated(deployment)} and project_id = ${project} and ended_at is null
      and issue_key ~ '^finding:[0-9]+$'`;
  if (running.length === 0) return;
  // Two steps: a key inside of a text would be compared with every finding of the deployment.
  const ended = await tx.all(EndedEpisode)`
    select episode.id, finding.state, bool_or(detection.state = 'removed') as is_removed
    from unnest(${running.map(({ id }) => id)}::bigint[],
      ${running.map(({ issue_key: key }) => key.slice('finding:'.length))}::bigint[]) as episode (id, finding_id)
    join finding on finding.deployment_id = ${unestimated(deployment)} and finding.id = episode.finding_id
    join detection on detection.deployment_id = ${unestimated(deployment)} and detection.finding_id = episode.finding_id
    group by episode.id, finding.state
    having finding.state = 'detected' or not bool_or(detection.state = 'detected')`;
  if (ended.length === 0) return;
  await endEpisodes(
    tx,
    deployment,
    ended.map(({ id, state, is_removed: isRemoved }) => ({
      episode: id,
      at,
      reason: state === 'detected' ? 'landed' : isRemoved ? 'abandoned' : 'fixed',
    })),
  );
}

/** Deletes running episodes of findings that were deleted. */
export async function deleteEpisodes(tx: Tx, deployment: string, findings: readonly string[]): Promise<void> {
  await tx.run`
    delete from guardrail_episode
    where deployment_id = ${unestimated(deployment)} and issue_key = any(${findings.map(issueKey)}::text[])
      and ended_at is null`;
}

/** A failed check showed its blocking findings to the developer. Scanners leave out ignored and muted findings. */
export async function markBlockingShown(tx: Tx, scan: { deployment: string; id: string }, at: Date): Promise<void> {
  const { deployment } = scan;
  const rows = await tx.all(RowId)`
    select episode.id from scan
    join project_ref on project_ref.deployment_id = ${unestimated(deployment)} and project_ref.id = scan.ref_id
    join analysis on analysis.deployment_id = ${unestimated(deployment)} and analysis.ref_id = scan.ref_id
      and analysis.last_scan_id = scan.id
    join detection on detection.deployment_id = ${unestimated(deployment)} and detection.analysis_id = analysis.id
    join finding on finding.deployment_id = ${unestimated(deployment)} and finding.id = detection.finding_id
    join guardrail_episode as episode on episode.deployment_id = ${unestimated(deployment)}
      and episode.issue_key = 'finding:' || finding.id and episode.ended_at is null
    where scan.deployment_id = ${unestimated(deployment)} and scan.id = ${scan.id}
      and project_ref.kind = 'pull' and detection.state = 'detected' and not detection.is_muted
      and finding.mode = 'block' and finding.triage_state <> 'ignored'
      and episode.is_eligible and episode.shown_at is null`;
  if (rows.length === 0) return;
  await markEpisodesShown(
    tx,
    deployment,
    rows.map(({ id }) => ({ episode: id, at })),
  );
}
