import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readReport } from '#domain/reports/formats/read-report.ts';
import type { ReportItem } from '#domain/reports/report-items.ts';
import { type SbomDocument, type SbomPackage, serializeSbom } from './cyclonedx.ts';
import { SbomVersion } from './shape.ts';

const component = (ecosystem: string, name: string, version: string, isDirect = true): SbomPackage => ({
  ecosystem,
  name,
  version,
  isDirect,
  licenses: ['MIT'],
  paths: ['some.lock'],
});

const bill: SbomDocument = {
  project: 'acme/shop',
  ref: 'main',
  type: 'SBOM_METADATA_COMPONENT_TYPE_CYCLONE_DX_V15_APPLICATION',
  components: [
    component('npm', 'left-pad', '1.3.0'),
    component('npm', '@acme/left', '1.0.0', false),
    component('maven', 'org.acme:core', '2.0'),
    component('pypi', 'django', '4.2'),
    component('gomod', 'github.com/acme/x', 'v1.2.3', false),
    component('cargo', 'serde', '1.0.0'),
    component('gem', 'rails', '7.0.0'),
    component('nuget', 'Newtonsoft.Json', '13.0.1'),
    component('composer', 'symfony/yaml', '6.0.0'),
    component('pub', 'http', '1.0.0'),
  ],
  vulnerabilities: [],
  serial: '3e671687-395b-41f5-a30f-a58921a69b79',
  at: new Date('2026-03-01T12:00:00Z'),
  toolVersion: '0.1.0',
};

async function dependenciesIn(text: string): Promise<string[]> {
  const found: Extract<ReportItem, { kind: 'dependency' }>[] = [];
  const source = (async function* () {
    yield Buffer.from(text);
  })();
  for await (const item of readReport(source)) if (item.kind === 'dependency') found.push(item);
  return found.map((one) => `${one.ecosystem} ${one.package} ${one.version} ${one.licenses}`).sort();
}

for (const version of SbomVersion.options)
  for (const encoding of ['json', 'xml'] as const)
    test(`a bill ${version} in ${encoding} that is imported again yields the same packages`, async () => {
      const expected = bill.components.map((one) => `${one.ecosystem} ${one.name} ${one.version} MIT`).sort();
      assert.deepEqual(await dependenciesIn(serializeSbom(bill, { version, encoding })), expected);
    });
