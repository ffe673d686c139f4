import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { OperatorError } from '#kernel/errors/operator-error.ts';
import type { MoveCounts } from './move-tally.ts';

const Counts = z.record(z.string(), z.number());
const State = z.object({
  version: z.literal(1),
  /** What is moved from where to where; the state of another move must not be continued. */
  move: z.string(),
  /** By the id of the project in the other system. */
  projects: z.record(z.string(), z.object({ carried: Counts, left: Counts, failed: Counts })),
});

class UnusableState extends OperatorError {
  override readonly exitCode = 2;
}

/** Which projects are done, in a file, so that an interrupted move continues where it was. It holds no secrets. */
export class MoveState {
  readonly #file: string;
  readonly #state: z.output<typeof State>;

  private constructor(file: string, state: z.output<typeof State>) {
    this.#file = file;
    this.#state = state;
  }

  static async open(file: string, move: string): Promise<MoveState> {
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw new UnusableState(`The state file ${file} cannot be read: ${error.message}.`);
    });
    if (text === undefined) return new MoveState(file, { version: 1, move, projects: {} });
    const parsed = State.safeParse(jsonOf(text));
    if (!parsed.success) throw new UnusableState(`${file} is not a state file of this command; use another --state.`);
    if (parsed.data.move !== move)
      throw new UnusableState(
        `${file} belongs to another move: ${parsed.data.move}.\nThis one is: ${move}.\nUse another --state file.`,
      );
    return new MoveState(file, parsed.data);
  }

  get doneCount(): number {
    return Object.keys(this.#state.projects).length;
  }

  countsOf(project: string): MoveCounts | undefined {
    return Object.hasOwn(this.#state.projects, project) ? this.#state.projects[project] : undefined;
  }

  /** Written to another file first, so that an interruption leaves the old state or the new one. */
  async finish(project: string, counts: MoveCounts): Promise<void> {
    this.#state.projects[project] = counts;
    await writeFile(`${this.#file}.new`, JSON.stringify(this.#state), { mode: 0o600 });
    await rename(`${this.#file}.new`, this.#file);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
