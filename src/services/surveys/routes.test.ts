import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { type TestUser, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let person: TestUser;

before(async () => {
  world = await World.start();
  person = await world.signIn(await world.account());
});
after(() => world.stop());

const submit = (who: TestUser, surveyName: string, data: Record<string, unknown>) =>
  world.as(contract, who.jwt).createSurveyResponse({ body: { surveyName, data } });
const answerOf = async (who: TestUser, surveyName: string) =>
  (await world.as(contract, who.jwt).getSurveyResponse({ path: { surveyName } })).body.response;

describe('a survey response', () => {
  test('is stored for the caller, also without a deployment', async () => {
    const data = { role: 'developer', tools: ['go'], rating: 4, nested: { a: null } };
    const { body } = await submit(person, 'welcome', data);
    assert.deepEqual(body.response.data, data);
    assert.equal(body.response.userId, Number(person.id));
    assert.deepEqual(await answerOf(person, 'welcome'), body.response);
  });

  test('is visible only to its author; others get no response', async () => {
    const other = await world.signIn(await world.account());
    await submit(person, 'private', { secret: true });
    assert.equal(await answerOf(other, 'private'), undefined);
    assert.equal(await answerOf(other, 'no-such-survey'), undefined);
  });

  test('replaces the previous response', async () => {
    const first = await submit(person, 'again', { rating: 1 });
    const second = await submit(person, 'again', { rating: 5 });
    assert.equal(second.body.response.id, first.body.response.id);
    assert.deepEqual((await answerOf(person, 'again'))?.data, { rating: 5 });
  });

  test('is returned unchanged for any JSON', async () => {
    const data = fc.dictionary(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 9 }),
      fc.jsonValue({ maxDepth: 3 }),
      {
        maxKeys: 4,
      },
    );
    const isPlain = (value: object) => !/__proto__|constructor|prototype|-0|\\u0000/.test(JSON.stringify(value));
    await fc.assert(
      fc.asyncProperty(data.filter(isPlain), async (given) => {
        const { status, body } = await submit(person, 'any', given);
        if (status === 200) assert.deepEqual(body.response.data, JSON.parse(JSON.stringify(given)));
        else assert.equal(status, 400);
      }),
      { numRuns: 40 },
    );
  });

  test('may have members named like Object.prototype members', async () => {
    const data = { toString: null, valueOf: { toString: 1 }, hasOwnProperty: 'x' };
    assert.deepEqual((await submit(person, 'born', data)).body.response.data, data);
  });

  test('that cannot be stored exactly or is too large is refused', async () => {
    const send = async (data: string) => {
      const answer = await fetch(`${world.baseUrl}/api/survey/submit`, {
        method: 'POST',
        headers: { authorization: `Bearer ${person.jwt}`, 'content-type': 'application/json' },
        body: `{"surveyName":"limits","data":${data}}`,
      });
      return answer.status;
    };
    assert.equal(await send('{"n":[9007199254740993]}'), 400);
    assert.equal(await send('{"n":9007199254740991}'), 200);
    assert.equal(await send(`{"text":"${'x'.repeat(32 * 1024)}"}`), 400);
    assert.equal(await send('[]'), 400);
  });

  test('is limited to 100 surveys, also concurrently (CON-04)', async () => {
    const eager = await world.signIn(await world.account());
    await world.queryAsOwner(
      `insert into survey_response (account_id, survey_name, data)
       select $1, 'earlier-' || n, '{}' from generate_series(1, 95) as n`,
      [eager.id],
    );
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => submit(eager, `survey-${index}`, {})));
    assert.equal(answers.filter(({ status }) => status === 200).length, contract.MAX_SURVEY_RESPONSES - 95);
    assert.equal(answers.filter(({ problem }) => problem.code === 'SURVEY_QUOTA').length, 3);
  });
});
