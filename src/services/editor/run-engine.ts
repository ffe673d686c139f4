import { dirname } from 'node:path';
import type { ProcessOutcome } from '#kernel/sandbox/limited-process.ts';
import type { JobFolder, Sandbox, SandboxLimits } from '#kernel/sandbox/sandbox.ts';
import { MAX_RUN_SECONDS } from './contract.ts';
import { TARGET_FILE } from './engine-output.ts';

const LIMITS: SandboxLimits = {
  timeMs: MAX_RUN_SECONDS * 1000,
  memoryBytes: 2 * 1024 ** 3,
  outputBytes: 1024 ** 2,
  processes: 64,
  fileBytes: 16 * 1024 ** 2,
};

/** Under this name the engine runs without its Python package. */
const ENGINE_NAME = './osemgrep';
const VERSION = /\d+\.\d+\.\d+/;

export interface EngineRun {
  enginePath: string;
  pattern: string;
  target: string;
  language: string;
  isDebug: boolean;
  signal: AbortSignal;
}

/** Runs the rule on the code, in a folder that holds nothing else. */
export function runEngine(sandbox: Sandbox, run: EngineRun): Promise<ProcessOutcome> {
  const rule = ruleFileOf(run);
  return sandbox.withFolder(async (folder) => {
    await folder.write(rule.name, rule.text);
    await folder.write(TARGET_FILE, run.target);
    return start(folder, run.enginePath, {
      signal: run.signal,
      command: [
        ...[ENGINE_NAME, 'scan', '--experimental', '--json', '--quiet', '--metrics=off', '--disable-version-check'],
        // The one target is scanned whatever its name and the language of the rule.
        ...['--no-git-ignore', '--scan-unknown-extensions', '--no-rewrite-rule-ids', '--jobs=1'],
        ...['--timeout=0', `--max-target-bytes=0`, ...(run.isDebug ? ['--matching-explanations'] : [])],
        ...['--config', rule.name, TARGET_FILE],
      ],
    });
  });
}

/** The version of the engine, which proves that it runs in the sandbox; empty if it does not. */
export async function engineVersion(sandbox: Sandbox, enginePath: string): Promise<string> {
  const outcome = await sandbox.withFolder((folder) =>
    start(folder, enginePath, { command: [enginePath, '-version'] }),
  );
  return VERSION.exec(outcome.stdout.toString('utf8'))?.[0] ?? '';
}

async function start(
  folder: JobFolder,
  enginePath: string,
  { command, signal }: { command: readonly string[]; signal?: AbortSignal },
): Promise<ProcessOutcome> {
  await folder.link(ENGINE_NAME, enginePath);
  return folder.run({
    command,
    // The engine has its libraries beside it.
    readOnly: [dirname(enginePath)],
    env: { SEMGREP_SEND_METRICS: 'off', SEMGREP_ENABLE_VERSION_CHECK: '0' },
    limits: LIMITS,
    signal,
  });
}

/** Rules are used as they are; from a pattern alone a rule is made. */
export function ruleFileOf({ pattern, language }: Pick<EngineRun, 'pattern' | 'language'>): {
  name: string;
  text: string;
} {
  if (/^\s*(\{\s*)?["']?rules["']?\s*:/m.test(pattern)) return { name: 'rule.yaml', text: pattern };
  const rule = { id: '-', pattern, message: pattern, languages: [language || 'generic'], severity: 'WARNING' };
  return { name: 'rule.json', text: JSON.stringify({ rules: [rule] }) };
}
