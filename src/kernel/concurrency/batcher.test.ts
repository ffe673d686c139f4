import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Outage } from '#kernel/contract/fault.ts';
import { Batcher } from './batcher.ts';

/** A batch function that answers on command and records the inputs of each batch. */
class Oracle {
  readonly rounds: string[][] = [];
  readonly #open: (() => void)[] = [];
  readonly asking = new Batcher<string, string>(async (questions) => {
    this.rounds.push([...questions]);
    await new Promise<void>((resolve) => void this.#open.push(resolve));
    if (questions.includes('poison')) throw new Error('poisoned');
    if (questions.includes('outage')) throw new Outage('database', new Error('gone'));
    return questions.map((question) => question.toUpperCase());
  });

  async begun(count: number): Promise<void> {
    while (this.rounds.length < count) await new Promise(setImmediate);
  }

  answer(): void {
    this.#open.shift()?.();
  }

  async answerUntil(asked: Promise<unknown>): Promise<void> {
    let isDone = false;
    void asked.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      this.answer();
      await new Promise(setImmediate);
    }
  }
}

const settled = (asked: Promise<string>[]) =>
  Promise.all(
    asked.map((one) =>
      one.then(
        (answer) => answer,
        (error: Error) => `${error.constructor.name}: ${error.message}`,
      ),
    ),
  );

test('a single input is computed at once', async () => {
  const oracle = new Oracle();
  const asked = oracle.asking.submit('one');
  await oracle.begun(1);
  oracle.answer();
  assert.equal(await asked, 'ONE');
  assert.deepEqual(oracle.rounds, [['one']]);
});

test('inputs that arrive while a batch runs form the next batch', async () => {
  const oracle = new Oracle();
  const first = oracle.asking.submit('one');
  await oracle.begun(1);
  const others = ['two', 'three', 'two'].map((question) => oracle.asking.submit(question));
  assert.deepEqual(oracle.rounds, [['one']]);
  oracle.answer();
  assert.equal(await first, 'ONE');
  await oracle.begun(2);
  oracle.answer();
  assert.deepEqual(await Promise.all(others), ['TWO', 'THREE', 'TWO']);
  assert.deepEqual(oracle.rounds, [['one'], ['two', 'three', 'two']]);
});

test('a batch that hangs does not block later inputs', async () => {
  const oracle = new Oracle();
  void oracle.asking.submit('hangs');
  await oracle.begun(1);
  const later = oracle.asking.submit('later');
  await oracle.begun(2);
  assert.deepEqual(oracle.rounds, [['hangs'], ['later']]);
  oracle.answer();
  oracle.answer();
  assert.equal(await later, 'LATER');
});

test('an input that fails does not fail the others of its batch', async () => {
  const oracle = new Oracle();
  const asked = ['one', 'poison', 'two'].map((question) => oracle.asking.submit(question));
  const answers = settled(asked);
  await oracle.answerUntil(answers);
  assert.deepEqual(await answers, ['ONE', 'Error: poisoned', 'TWO']);
});

test('an outage fails all inputs of its batch, and none of the next', async () => {
  const oracle = new Oracle();
  const asked = ['one', 'outage', 'two'].map((question) => oracle.asking.submit(question));
  await oracle.begun(1);
  const next = oracle.asking.submit('next');
  const failing = settled(asked);
  await oracle.answerUntil(Promise.all([failing, next]));
  const failures = await failing;
  assert.ok(
    failures.every((failure) => failure.startsWith('Outage')),
    failures.join(),
  );
  assert.equal(await next, 'NEXT');
  assert.equal(oracle.rounds.length, 2);
});

test('every input gets its own output, with any number and timing of inputs', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.string(), fc.nat(2)), { maxLength: 500 }), async (questions) => {
      const rounds = new Batcher<string, string>(async (asked) => {
        await new Promise(setImmediate);
        return asked.map((question) => `${question}!`);
      });
      const asked: Promise<string>[] = [];
      for (const [question, turns] of questions) {
        asked.push(rounds.submit(question));
        for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
      }
      assert.deepEqual(
        await Promise.all(asked),
        questions.map(([question]) => `${question}!`),
      );
    }),
    { numRuns: 30 },
  );
});
