import type { Api } from './api.ts';
import type { Installation } from './installation.ts';
import { madeBy, send, type WriteEffect, type WriterSetup } from './writers.ts';

/** The effects of one cycle that are stored in the tables. */
interface Stored {
  teams: Map<string, string[]>;
  joined: Set<string>;
  versions: Map<string, number>;
  records: Map<string, number>;
}

/** The verdict on one cycle: lost and repeated must stay empty. */
export interface CycleResult {
  acknowledged: number;
  unacknowledged: number;
  retried: number;
  lost: string[];
  doubled: string[];
}

async function readStored(installation: Installation, ground: WriterSetup): Promise<Stored> {
  const teams = await installation.look<{ id: string; name: string; version: string }>(
    'select id, name, version from team where deployment_id = $1',
    [ground.deployment],
  );
  const joined = await installation.look<{ team_id: string; account_id: string }>(
    'select team_id, account_id from team_member where deployment_id = $1',
    [ground.deployment],
  );
  const records = await installation.look<{ request_id: string; count: string }>(
    'select request_id, count(*) as count from audit_record where deployment_id = $1 group by request_id',
    [ground.deployment],
  );
  const byName = Map.groupBy(teams, (team) => team.name);
  return {
    teams: new Map([...byName].map(([name, found]) => [name, found.map((team) => String(team.id))])),
    joined: new Set(joined.map((row) => `${row.team_id}/${row.account_id}`)),
    versions: new Map(teams.map((team) => [String(team.id), Number(team.version)])),
    records: new Map(records.map((row) => [row.request_id, Number(row.count)])),
  };
}

const isThere = (stored: Stored, effect: WriteEffect) =>
  effect.kind === 'create' ? stored.teams.has(effect.subject) : stored.joined.has(`${effect.team}/${effect.subject}`);

/**
 * Compares the ledgers of a cycle with the tables: an acknowledged write is stored once, with one audit record; one
 * without a reply is stored at most once; and sending it again with its key stores it exactly once.
 */
export async function reconcile(
  installation: Installation,
  api: Api,
  { ground, ledgers }: { ground: WriterSetup; ledgers: readonly (readonly WriteEffect[])[] },
): Promise<CycleResult> {
  const effects = ledgers.flat();
  const open = effects.filter((effect) => !effect.isAcknowledged);
  const verdict: CycleResult = {
    acknowledged: effects.length - open.length,
    unacknowledged: open.length,
    retried: 0,
    lost: [],
    doubled: [],
  };
  judge(await readStored(installation, ground), effects, verdict);
  const sample = ledgers.flatMap((ledger) => ledger.filter((effect) => effect.isAcknowledged).slice(-1));
  for (const effect of [...open, ...sample]) await retry(api, ground, { effect, verdict });
  judge(await readStored(installation, ground), effects, verdict);
  judgeVersions(await readStored(installation, ground), ground, { effects, verdict });
  return verdict;
}

function judge(stored: Stored, effects: readonly WriteEffect[], { lost, doubled }: CycleResult): void {
  for (const effect of effects) {
    const { requestId } = effect;
    const records = stored.records.get(requestId) ?? 0;
    const isPresent = isThere(stored, effect);
    if (effect.isAcknowledged && !isPresent) lost.push(`${requestId}: acknowledged, but its effect is missing`);
    if (isPresent && records === 0) lost.push(`${requestId}: done, but without an audit record`);
    if (!isPresent && records > 0) lost.push(`${requestId}: recorded, but its effect is missing`);
    if (records > 1) doubled.push(`${requestId}: has ${records} audit records`);
    if (effect.kind === 'create' && (stored.teams.get(effect.subject)?.length ?? 0) > 1)
      doubled.push(`${requestId}: created its team more than once`);
  }
}

/** A used key gets the stored reply; an unused one runs the operation now. */
async function retry(
  api: Api,
  ground: WriterSetup,
  { effect, verdict }: { effect: WriteEffect; verdict: CycleResult },
): Promise<void> {
  const { status, body, headers } = await send(api, ground, effect);
  verdict.retried += 1;
  if (status !== 200) verdict.lost.push(`${effect.requestId}: sent again, and answered ${status} ${body['code']}`);
  if (effect.isAcknowledged && headers['idempotency-replayed'] !== 'true')
    verdict.doubled.push(`${effect.requestId}: acknowledged, but run again when sent again`);
  if (effect.isAcknowledged && effect.made !== madeBy(body))
    verdict.doubled.push(`${effect.requestId}: sent again, but the reply has another team`);
  effect.isAcknowledged = true;
}

/** Each join increments the version of its team, so the version counts the joins. */
function judgeVersions(
  stored: Stored,
  ground: WriterSetup,
  { effects, verdict }: { effects: readonly WriteEffect[]; verdict: CycleResult },
): void {
  for (const team of ground.teams) {
    const joins = effects.filter((effect) => effect.kind === 'join' && effect.team === team).length;
    const version = stored.versions.get(team) ?? 0;
    if (version !== 1 + joins) verdict.doubled.push(`team ${team}: changed ${version - 1} times by ${joins} joins`);
  }
}

/** Deletes what a cycle created, because the number of teams of a deployment is limited. */
export async function clearCycle(installation: Installation, { deployment, teams }: WriterSetup): Promise<void> {
  await installation.look("delete from team where deployment_id = $1 and name like 'Team c%'", [deployment]);
  await installation.look('delete from team_member where deployment_id = $1 and team_id = any($2::bigint[])', [
    deployment,
    teams,
  ]);
  await installation.look('update team set version = 1 where deployment_id = $1 and id = any($2::bigint[])', [
    deployment,
    teams,
  ]);
}
