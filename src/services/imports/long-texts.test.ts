import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;
before(async () => {
  world = await World.start();
  place = await world.deployment();
});
after(() => world.stop());

/** Does not get shorter by compression. */
const LONG = Array.from(randomBytes(20_000), (byte) => String.fromCodePoint(0x4e00 + byte)).join('');

const sarif = (rule: object, result: object) =>
  JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'checker', rules: [{ id: 'r', ...rule }] } },
        results: [
          {
            ruleId: 'r',
            message: { text: 'm' },
            locations: [{ physicalLocation: { artifactLocation: { uri: 'a.js' }, region: { startLine: 1 } } }],
            ...result,
          },
        ],
      },
    ],
  });
const located = (uri: string) => ({
  locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine: 1 } } }],
});
const bom = (component: object) =>
  JSON.stringify({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    components: [{ type: 'library', name: 'p', version: '1', 'bom-ref': 'r', purl: 'pkg:npm/p@1', ...component }],
    vulnerabilities: [{ id: 'CVE-2024-1000', ratings: [{ severity: 'high' }], affects: [{ ref: 'r' }] }],
  });

const REPORTS: Record<string, string> = {
  rule: sarif({}, { ruleId: LONG }),
  'tool name': sarif({}, {}).replace('"checker"', JSON.stringify(LONG)),
  'rule description': sarif({ shortDescription: { text: LONG } }, {}),
  tag: sarif({ properties: { tags: [LONG, `external/cwe/cwe-89 ${LONG}`] } }, {}),
  message: sarif({}, { message: { text: LONG } }),
  path: sarif({}, located(LONG)),
  fingerprint: sarif({}, { partialFingerprints: { [LONG]: LONG } }),
  'package name': bom({ name: LONG, purl: `pkg:npm/${encodeURIComponent(LONG)}@1` }),
  version: bom({ version: LONG, purl: undefined }),
  license: bom({ licenses: [{ license: { name: LONG } }] }),
  advisory: bom({}).replace('CVE-2024-1000', LONG),
};

describe('a report is imported although it has a very long', () => {
  for (const [name, upload] of Object.entries(REPORTS))
    test(name, async () => {
      const reply = await world.as(contract, place.admin.jwt).importReport({
        path: { deployment: place.id },
        query: { project: `acme/${name.replaceAll(' ', '-')}` },
        upload,
      });
      assert.equal(reply.status, 200, reply.text);
    });
});
