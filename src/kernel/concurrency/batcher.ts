import { Outage } from '#kernel/contract/fault.ts';

const MOST_QUESTIONS = 200;
const PATIENCE_MS = 20;

interface Waiting<Question, Answer> {
  question: Question;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** Answers all questions of a round at once, in their order. */
export type BatchFunction<Question, Answer> = (questions: readonly Question[]) => Promise<readonly Answer[]>;

/**
 * Lets questions share a statement: those that come while a round is under way wait for it and are the next round.
 * An answer is never older than its question, and a question that comes alone does not wait.
 */
export class Batcher<Question, Answer> {
  readonly #answer: BatchFunction<Question, Answer>;
  #waiting: Waiting<Question, Answer>[] = [];
  #underWay = 0;
  #patience: NodeJS.Timeout | undefined;
  #isDue = false;

  constructor(answer: BatchFunction<Question, Answer>) {
    this.#answer = answer;
  }

  submit(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve, reject });
      if (this.#underWay === 0) this.#beginSoon();
      else this.#beginInAnyCase();
    });
  }

  /** What else has arrived already is read before the round begins. */
  #beginSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => this.#begin());
  }

  /** One session that hangs must not shut out all who come later. */
  #beginInAnyCase(): void {
    this.#patience ??= setTimeout(() => this.#begin(), PATIENCE_MS);
  }

  #begin(): void {
    this.#isDue = false;
    clearTimeout(this.#patience);
    this.#patience = undefined;
    const round = this.#waiting.splice(0, MOST_QUESTIONS);
    if (round.length === 0) return;
    if (this.#waiting.length > 0) this.#beginInAnyCase();
    this.#underWay++;
    void this.#hold(round).finally(() => {
      this.#underWay--;
      this.#begin();
    });
  }

  async #hold(round: readonly Waiting<Question, Answer>[]): Promise<void> {
    try {
      const answers = await this.#answer(round.map(({ question }) => question));
      for (const [index, { resolve }] of round.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      // Only what is wrong with a question can be wrong with one of them alone.
      if (round.length > 1 && !(error instanceof Outage)) await Promise.all(round.map((one) => this.#hold([one])));
      else for (const { reject } of round) reject(error);
    }
  }
}
