import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;
before(async () => {
  world = await World.start();
  place = await world.deployment();
});
after(() => world.stop());

const SECRET = 'AKIAQYLPMN5HFIQR7XYA';
const LINE = `const AWS_KEY = '${SECRET}';`;

const result = (ruleId: string, code: string, note: string) => ({
  ruleId,
  message: { text: `found ${note}` },
  locations: [
    {
      physicalLocation: {
        artifactLocation: { uri: 'src/a.js' },
        region: { startLine: 6, startColumn: 17, endLine: 6, endColumn: 39, snippet: { text: code } },
      },
    },
  ],
});

/** More results than the reader buffers come before the rule metadata that says that a rule detects secrets. */
const results = [
  result('own-key-rule', LINE, SECRET),
  ...Array.from({ length: 45 }, (_, index) => ({
    ...result('padding', `run(${index})`, `${index}`),
    properties: { padding: 'x'.repeat(100_000) },
  })),
];
const sarif = (run: object) => JSON.stringify({ version: '2.1.0', runs: [{ results, ...run }] });

const REPORTS: Record<string, string> = {
  rule: sarif({
    tool: { driver: { name: 'checker', rules: [{ id: 'own-key-rule', properties: { tags: ['secret'] } }] } },
  }),
  tool: sarif({ tool: { driver: { name: 'gitleaks' } } }),
};

for (const [what, upload] of Object.entries(REPORTS))
  test(`SEC-01: a secret is masked and identified by a keyed digest, even if its ${what} comes late`, async () => {
    const project = `acme/late-${what}`;
    const client = world.as(contract, place.admin.jwt);
    const { status, body } = await client.importReport({ path: { deployment: place.id }, query: { project }, upload });
    assert.equal(status, 200);
    assert.deepEqual(body.warnings, []);
    const found = await world.queryAsOwner<{
      product: string;
      code: string;
      message: string;
      whole: string;
      kinds: number[];
    }>(
      `select finding.product, code, message, to_jsonb(finding)::text as whole,
         array(select kind from fingerprint where finding_id = finding.id) as kinds
       from finding join project on project.id = project_id where project.name = $1 and rule = 'own-key-rule'`,
      [project],
    );
    assert.deepEqual(
      found.map(({ product, code, message, kinds }) => ({ product, code, message, kinds })),
      [
        {
          product: 'secrets',
          code: "const AWS_KEY = 'AKIA********YA';",
          message: 'found AKIA********YA',
          kinds: [5],
        },
      ],
    );
    assert.ok(found.every(({ whole }) => !whole.includes(SECRET)));
  });

test('SEC-01: results parsed as code are parsed again if a later rule says that they are secrets', async () => {
  const project = 'acme/turned-secret';
  const client = world.as(contract, place.admin.jwt);
  const send = async (upload: string | undefined, commit: string) => {
    const query = { project, ref: 'main', commit };
    const { status } = await client.importReport({ path: { deployment: place.id }, query, upload: upload ?? '' });
    assert.equal(status, 200);
  };
  await send(sarif({ tool: { driver: { name: 'checker' } } }), 'abcdef1');
  await send(REPORTS['rule'], 'abcdef2');
  const found = await world.queryAsOwner(
    `select product, code from finding join project on project.id = project_id
     where project.name = $1 and rule = 'own-key-rule' and state = 'detected'`,
    [project],
  );
  assert.deepEqual(found, [{ product: 'secrets', code: "const AWS_KEY = 'AKIA********YA';" }]);
});
