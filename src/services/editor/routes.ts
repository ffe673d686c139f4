import { availableParallelism } from 'node:os';
import { publish } from '#domain/rules/publish-rule.ts';
import { Semaphore, SemaphoreFull } from '#kernel/concurrency/semaphore.ts';
import { RATE_LIMITED } from '#kernel/contract/common-faults.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import type { Services } from '#kernel/http/pipeline/services.ts';
import { SandboxUnavailable } from '#kernel/sandbox/sandbox.ts';
import { annotationsOf, testResultsOf } from './annotation-rules.ts';
import * as contract from './contract.ts';
import { readOutcome } from './engine-output.ts';
import { findEngine } from './find-engine.ts';
import { engineVersion, runEngine } from './run-engine.ts';

const MAX_WAITING_RUNS = 20;
/** More than cores, so that two runs that never end do not stop the others. */
const maxRunning = Math.max(6, availableParallelism());
const slots = new Semaphore({ maxRunning, maxWaiting: MAX_WAITING_RUNS });
const runsByUser = new Map<string, number>();

/** Runs of one user beyond the limit are refused at once; users wait for each other for a while. */
async function inTurn<Result>({ credential, userId, deployment }: Call['caller'], work: () => Promise<Result>) {
  const user = userId || credential;
  const running = runsByUser.get(user) ?? 0;
  const refuse = () => RATE_LIMITED({ policy: 'rule runs' }, { headers: { 'retry-after': '2' } });
  if (running >= contract.MAX_RUNS_PER_USER) throw refuse();
  runsByUser.set(user, running + 1);
  try {
    return await slots.run(work, { group: deployment });
  } catch (error) {
    throw error instanceof SemaphoreFull ? refuse() : error;
  } finally {
    const left = (runsByUser.get(user) ?? 1) - 1;
    if (left > 0) runsByUser.set(user, left);
    else runsByUser.delete(user);
  }
}

/** The engine with the level of its sandbox, or what the operator can change. */
type EngineState = { path: string; level: string; reason?: never } | { reason: string };

async function locateEngine({ semgrepPath, sandbox }: Services): Promise<EngineState> {
  const found = await findEngine(semgrepPath);
  if ('reason' in found) return found;
  try {
    return { path: found.path, level: await sandbox.requireLevel() };
  } catch (error) {
    if (!(error instanceof SandboxUnavailable)) throw error;
    return { reason: `its sandbox needs namespaces (${error.message}), unless PARAPET_SANDBOX is weak` };
  }
}

/** A cache: an engine is replaced only with its path or by a restart. */
const versions = new Map<string, Promise<string>>();

async function versionOf({ sandbox }: Services, path: string): Promise<string> {
  const asked = versions.get(path) ?? slots.run(() => engineVersion(sandbox, path));
  versions.set(path, asked);
  const version = await asked.catch(() => '');
  if (version === '') versions.delete(path);
  return version;
}

/** EditorService: rules that are tried on code before they are used. */
export const editor = group('EditorService', contract, {
  runPattern: async ({ body, caller, services, request, disconnected }) => {
    const engine = await locateEngine(services);
    if (engine.reason !== undefined) throw contract.SCANNER_MISSING({ reason: engine.reason });
    const outcome = await inTurn(caller, () =>
      runEngine(services.sandbox, { enginePath: engine.path, signal: disconnected, ...body }),
    );
    const { result, matches } = readOutcome(outcome, {
      ...{ target: body.target, isDeep: body.isDeep, runId: request.id },
      environment: `parapet ${services.version}, ${engine.level} sandbox`,
    });
    const tests = result.run_error ? [] : testResultsOf(annotationsOf(body.target), matches);
    return { scan_result: result, test_result: tests, ai_autofixes: [] };
  },

  getEditorEngine: async ({ services }) => {
    const engine = await locateEngine(services);
    if (engine.reason !== undefined) return { isAvailable: false, version: '', sandbox: '', reason: engine.reason };
    const version = await versionOf(services, engine.path);
    const reason = version === '' ? `${engine.path} does not start` : '';
    return { isAvailable: version !== '', version, sandbox: engine.level, reason };
  },

  saveRule: async ({ body, tx, caller, answer }) => {
    const { published, before } = await publish(tx, caller, {
      ...{ definition: body.definition, testTarget: body.test_target, visibility: 'org_private' },
    });
    const summary = ({ path, version, language }: typeof published) => ({ path, version, language });
    answer.recordEffect({
      object: `rule/${published.id}`,
      before: before && summary(before),
      after: summary(published),
    });
    return { path: published.path, id: published.id, isNew: before === undefined };
  },
});
