import { type ChildProcess, spawn } from 'node:child_process';
import { residentBytes } from './resident-memory.ts';

export interface ProcessLimits {
  timeMs: number;
  memoryBytes: number;
  /** Of the standard output, and as many of the standard error output. */
  outputBytes: number;
}

/** How a process ended: by itself, or because it exceeded a limit or was cancelled. */
export type ProcessEnd = 'exited' | 'time' | 'memory' | 'output' | 'cancelled';

export interface ProcessOutcome {
  end: ProcessEnd;
  /** Undefined for a process that a signal ended. */
  exitCode: number | undefined;
  stdout: Buffer;
  stderr: Buffer;
  durationMs: number;
}

export interface ProcessStart {
  command: readonly string[];
  folder: string;
  /** The whole environment: nothing of the server's is inherited. */
  env: Readonly<Record<string, string>>;
  limits: ProcessLimits;
  signal?: AbortSignal | undefined;
}

/** Memory is not limited by the kernel without control groups, so it is measured this often. */
const MEASURE_MS = 200;
/** A process that left the group may still hold the pipes. */
const CLOSE_MS = 1000;

/** Runs a program in a process group of its own until it ends or exceeds a limit; then the group is killed. */
export async function runLimited({ command, folder, env, limits, signal }: ProcessStart): Promise<ProcessOutcome> {
  const [program = '', ...args] = command;
  const startedAt = performance.now();
  const child = spawn(program, args, { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const started = Promise.withResolvers<void>();
  child.once('spawn', started.resolve).once('error', started.reject);
  const exited = new Promise<number | undefined>((resolve) => child.once('exit', (code) => resolve(code ?? undefined)));
  const closed = new Promise((resolve) => child.once('close', resolve));
  await started.promise;
  let end: ProcessEnd = 'exited';
  const stop = (reason: ProcessEnd) => {
    if (end === 'exited') end = reason;
    killGroup(child);
  };
  const cancel = () => stop('cancelled');
  signal?.addEventListener('abort', cancel, { once: true });
  if (signal?.aborted) cancel();
  const output = [child.stdout, child.stderr].map((stream) =>
    collect(stream, limits.outputBytes, () => stop('output')),
  );
  const timer = setTimeout(() => stop('time'), limits.timeMs);
  const measure = async () => {
    if ((await residentBytes(child.pid ?? 0)) > limits.memoryBytes) stop('memory');
  };
  const measuring = setInterval(() => void measure(), MEASURE_MS);
  try {
    const exitCode = await exited;
    killGroup(child);
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())]);
    const [stdout, stderr] = output.map((chunks) => Buffer.concat(chunks));
    const durationMs = performance.now() - startedAt;
    return { end, exitCode, stdout: stdout ?? Buffer.alloc(0), stderr: stderr ?? Buffer.alloc(0), durationMs };
  } finally {
    clearTimeout(timer);
    clearInterval(measuring);
    signal?.removeEventListener('abort', cancel);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

function collect(stream: NodeJS.ReadableStream, maxBytes: number, onFull: () => void): Buffer[] {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    if (size + chunk.length > maxBytes) onFull();
    else chunks.push(chunk);
    size += chunk.length;
  });
  return chunks;
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has ended already.
  }
}
