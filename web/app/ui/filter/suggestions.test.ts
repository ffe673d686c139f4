import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseFilter } from '#domain/query/parse-filter.ts';
import {
  applyCorrection,
  applySuggestion,
  completionAtCursor,
  problemsAwayFromCursor,
  suggestionsFor,
} from './suggestions.ts';

const at = (text: string, cursor = text.length) => ({ text, cursor });

test('after a key suggestion the cursor waits for the value, and a leading minus is kept', () => {
  const draft = at('is:open -sev');
  const completion = completionAtCursor(draft);
  const [first] = suggestionsFor(completion, []);
  assert.ok(first);
  assert.deepEqual(applySuggestion(draft, completion, first), at('is:open -severity:'));
});

test('only values that findings have are suggested, with their counts', () => {
  const completion = completionAtCursor(at('severity:'));
  assert.deepEqual(
    suggestionsFor(completion, [], new Map([['high', 3]])).map(({ label, count }) => [label, count]),
    [['high', 3]],
  );
  assert.equal(suggestionsFor(completion, []).length, 5);
});

test('a suggestion replaces the whole value, wherever the cursor is in it', () => {
  const draft = at('rule:js.ev is:open', 8);
  const completion = completionAtCursor(draft);
  const [first] = suggestionsFor(completion, [{ value: 'js.eval', count: 2 }]);
  assert.ok(first);
  assert.equal(applySuggestion(draft, completion, first).text, 'rule:js.eval is:open');
});

test('every suggested name parses back to the same name', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'grapheme-ascii' }), (name) => {
      fc.pre(name.trim() === name);
      const draft = at('path:');
      const completion = completionAtCursor(draft);
      const [first] = suggestionsFor(completion, [{ value: name }]);
      assert.ok(first);
      const { query, problems } = parseFilter(applySuggestion(draft, completion, first).text);
      assert.deepEqual(problems, []);
      assert.deepEqual(query.terms[0]?.values, [{ kind: 'exact', value: name }]);
    }),
  );
});

test('a problem is shown once the cursor has left it, and the correction replaces it', () => {
  const text = 'severty:high is:open';
  const { problems } = parseFilter(text);
  assert.equal(problemsAwayFromCursor(problems, 4).length, 0);
  const [problem] = problemsAwayFromCursor(problems, text.length);
  assert.ok(problem);
  assert.equal(applyCorrection(text, problem, 'severity'), 'severity:high is:open');
});
