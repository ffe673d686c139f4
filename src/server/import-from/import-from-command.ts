import { readClientVariable } from '#kernel/config/client-environment.ts';
import { OperatorError } from '#kernel/errors/operator-error.ts';
import { DefectDojoSource } from './defectdojo-source.ts';
import { askFor, checkedAddress, MoveUsage } from './move-credentials.ts';
import { movePolicies } from './move-policies.ts';
import { moveProject } from './move-project.ts';
import type { MovedProject, MoveSource } from './move-source.ts';
import { MoveState } from './move-state.ts';
import { MoveTally } from './move-tally.ts';
import { MoveTarget, TargetRefusal } from './move-target.ts';
import { moveTeams } from './move-teams.ts';
import { SemgrepSource } from './semgrep-source.ts';
import { RemoteFailure, type RetryMeans, realSleep, SourceApi } from './source-api.ts';

const MOVE_SOURCES = ['semgrep', 'defectdojo'] as const;
type MovePart = 'projects' | 'teams' | 'policies';

interface ImportFromOptions {
  source: string | undefined;
  isDryRun: boolean;
  isHttpAllowed: boolean;
  isJson: boolean;
  /** Only this part; all of them if undefined. */
  only: string | undefined;
  /** Only the project of this name. */
  project: string | undefined;
  stateFile: string | undefined;
}

const SYSTEMS = {
  semgrep: {
    title: 'Semgrep',
    address: 'https://semgrep.dev',
    tokenPrefix: 'Bearer',
    token: 'an API token of Semgrep with the scope Web API',
  },
  defectdojo: {
    title: 'DefectDojo',
    address: undefined,
    tokenPrefix: 'Token',
    token: 'an API v2 key of DefectDojo',
  },
} as const;

interface Move {
  source: MoveSource;
  sourceUrl: string;
  target: MoveTarget;
  tally: MoveTally;
  options: ImportFromOptions;
  signal: AbortSignal;
  notify(line: string): void;
}

const notify = (line: string) => process.stderr.write(`${line}\n`);

/** `parapet import-from`: moves projects, findings, decisions, teams and policies of another system to a server. */
export async function importFrom(
  values: Readonly<Record<string, string | boolean | undefined>>,
  [source, ...more]: readonly string[],
): Promise<void> {
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined);
  const options: ImportFromOptions = {
    source: more.length === 0 ? source : undefined,
    isDryRun: values['dry-run'] === true,
    isHttpAllowed: values['allow-http'] === true,
    isJson: values['json'] === true,
    only: text('only'),
    project: text('project'),
    stateFile: text('state'),
  };
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  try {
    const move = await open(options, { sleep: realSleep, notify, signal: stop.signal });
    await moveAll(move);
    if (Object.keys(move.tally.counts.failed).length > 0) process.exitCode = 7;
    if (options.isJson) process.stdout.write(`${JSON.stringify(move.tally.counts)}\n`);
    else for (const line of move.tally.lines(options.isDryRun)) process.stdout.write(`${line}\n`);
  } catch (error) {
    if (stop.signal.aborted) {
      notify('\nInterrupted. Run the same command again to continue.');
      process.exitCode = 130;
    } else if (error instanceof OperatorError) {
      notify(`parapet import-from: ${error.message}`);
      if (error instanceof RemoteFailure) notify('Run the same command again to continue with the next project.');
      process.exitCode = error.exitCode;
    } else throw error;
  }
}

async function open(options: ImportFromOptions, means: RetryMeans): Promise<Move> {
  const name = MOVE_SOURCES.find((one) => one === options.source);
  if (name === undefined) throw new MoveUsage(`name a source: ${MOVE_SOURCES.join(' or ')}.`);
  const system = SYSTEMS[name];
  const address =
    readClientVariable('PARAPET_SOURCE_URL') ??
    system.address ??
    (await askFor('PARAPET_SOURCE_URL', { question: `the address of ${system.title}`, isSecret: false }));
  const sourceUrl = checkedAddress('PARAPET_SOURCE_URL', address, options.isHttpAllowed);
  const token = await askFor('PARAPET_SOURCE_TOKEN', { question: system.token, isSecret: true });
  const authorization = `${system.tokenPrefix} ${token}`;
  const api = new SourceApi({ name: system.title, baseUrl: sourceUrl, authorization }, means);
  const source = name === 'semgrep' ? new SemgrepSource(api) : new DefectDojoSource(api, new Date());
  const targetAddress = await askFor('PARAPET_URL', { question: 'the address of Parapet', isSecret: false });
  const baseUrl = checkedAddress('PARAPET_URL', targetAddress, options.isHttpAllowed);
  const ownToken = await askFor('PARAPET_TOKEN', { question: 'an API token of Parapet', isSecret: true });
  const target = new MoveTarget({ baseUrl, token: ownToken }, means);
  const tally = new MoveTally();
  return { source, sourceUrl, target, tally, options, signal: means.signal, notify: means.notify };
}

async function moveAll(move: Move): Promise<void> {
  const { source, target, tally, options } = move;
  const organization = await source.connect();
  await target.connect();
  const wants = (part: MovePart) => options.only === undefined || options.only === part;
  await moveProjects(move, organization, wants('projects'));
  if (source instanceof SemgrepSource) {
    const rest = { source, target, tally, isDryRun: options.isDryRun };
    if (wants('teams')) await moveTeams(rest);
    if (wants('policies')) await movePolicies(rest);
  }
}

/** The projects are listed in any case: teams and policies refer to them. */
async function moveProjects(move: Move, organization: string, isWanted: boolean): Promise<void> {
  const { source, tally, options, signal } = move;
  const state = options.isDryRun ? undefined : await openState(move, organization);
  if (isWanted && state && state.doneCount > 0) move.notify(`Continuing: ${state.doneCount} projects are done.`);
  for await (const project of source.projects()) {
    signal.throwIfAborted();
    if (!isWanted || (options.project !== undefined && options.project !== project.name)) continue;
    const earlier = state?.countsOf(project.id);
    if (earlier) {
      tally.add(earlier);
      continue;
    }
    const own = new MoveTally();
    const isDone = await moveOrCount(move, project, own);
    tally.add(own.counts);
    if (isDone) await state?.finish(project.id, own.counts);
  }
}

function openState({ source, sourceUrl, target, options }: Move, organization: string): Promise<MoveState> {
  const here = `${target.baseUrl}, deployment ${target.deployment.slug}`;
  const file = options.stateFile ?? `parapet-import-${source.title.toLowerCase()}.json`;
  return MoveState.open(file, `from ${sourceUrl}, ${organization}, to ${here}`);
}

/** A project that the server refuses does not keep the others from moving; it is tried again by the next run. */
async function moveOrCount(move: Move, project: MovedProject, tally: MoveTally): Promise<boolean> {
  const { source, target, options } = move;
  try {
    await moveProject({ source, target, project, tally, isDryRun: options.isDryRun });
    const { findings = 0, 'decisions and notes': decisions = 0 } = tally.counts.carried;
    move.notify(`${project.name}: ${findings} findings, ${decisions} decisions and notes`);
    return true;
  } catch (error) {
    if (!(error instanceof TargetRefusal) || error.exitCode === 4 || error.status >= 500) throw error;
    tally.fail(`project ${project.name}: ${error.message}`);
    move.notify(`${project.name}: failed. ${error.message}`);
    return false;
  }
}
