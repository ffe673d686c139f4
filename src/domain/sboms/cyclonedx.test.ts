import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { purlOf } from '#domain/reports/identity/package-url.ts';
import { JsonSchemaCheck } from '#test/support/reports/json-schema.ts';
import { type SbomDocument, serializeSbom } from './cyclonedx.ts';
import { SbomComponentType, SbomVersion } from './shape.ts';

/** The published schemas, which the library contains. */
const files = globSync('node_modules/@cyclonedx/cyclonedx-library/res/schema/*.schema.json');
const check = new JsonSchemaCheck(
  new Map(files.map((file) => [basename(file), JSON.parse(readFileSync(file, 'utf8'))])),
);

const bill: SbomDocument = {
  project: 'acme/shop',
  ref: 'main',
  type: 'SBOM_METADATA_COMPONENT_TYPE_CYCLONE_DX_V15_APPLICATION',
  supplier: {
    name: 'Acme <& Co>',
    url: 'https://acme.example/?a=1&b=2',
    contact: { name: 'Grace', email: 'grace@acme.example', phone: '1' },
  },
  components: [
    {
      ecosystem: 'npm',
      name: '@acme/left',
      version: '1.0.0',
      isDirect: true,
      licenses: ['MIT', 'Our "own" <license>'],
      paths: ['a.lock', 'b & c.lock'],
    },
    {
      ecosystem: 'maven',
      name: 'org.acme:core',
      version: '2.0',
      isDirect: false,
      licenses: ['Apache-2.0 OR MIT'],
      paths: ['pom.xml'],
    },
    { ecosystem: 'pypi', name: 'Foo_Bar', version: '3', isDirect: true, licenses: [], paths: ['uv.lock'] },
  ],
  vulnerabilities: [
    {
      advisory: 'CVE-2024-1',
      ecosystem: 'npm',
      name: '@acme/left',
      version: '1.0.0',
      severity: 4,
      cwes: ['CWE-79: XSS', 'nonsense'],
      title: 'A flaw',
    },
    { advisory: 'CVE-2024-1', ecosystem: 'npm', name: 'gone', version: '1', severity: 2, cwes: [], title: 'A flaw' },
  ],
  serial: '3e671687-395b-41f5-a30f-a58921a69b79',
  at: new Date('2026-03-01T12:00:00Z'),
  toolVersion: '0.1.0',
};

const VERSIONS = SbomVersion.options;
const schemaOf = (version: string) => `bom-${version.slice(-3).replace('_', '.')}.SNAPSHOT.schema.json`;
const json = (of: SbomDocument, version: (typeof VERSIONS)[number]) => serializeSbom(of, { version, encoding: 'json' });
const xml = (of: SbomDocument, version: (typeof VERSIONS)[number]) => serializeSbom(of, { version, encoding: 'xml' });

/** The text of each element by its path of names. */
function textsIn(document: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const way: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ local }) => way.push(local));
  parser.on('text', (text) => found.set(way.join('/'), [...(found.get(way.join('/')) ?? []), text]));
  parser.on('closetag', () => way.pop());
  parser.write(document).close();
  return found;
}

describe('an SBOM', () => {
  for (const version of VERSIONS)
    test(`${version} in JSON is valid by the published schema, with every component type`, () => {
      for (const type of SbomComponentType.options)
        assert.deepEqual(check.problems(schemaOf(version), JSON.parse(json({ ...bill, type }, version))), []);
      const empty = { ...bill, components: [], vulnerabilities: [] };
      assert.deepEqual(check.problems(schemaOf(version), JSON.parse(json(empty, version))), []);
    });

  test('the schema check itself rejects an invalid document', () => {
    const good = JSON.parse(json(bill, 'SBOM_CYCLONE_DX_VERSION_V1_6'));
    for (const wrong of [
      { ...good, bomFormat: 'x' },
      { ...good, more: 1 },
      { ...good, components: [{ name: 'x' }] },
    ])
      assert.notDeepEqual(check.problems('bom-1.6.SNAPSHOT.schema.json', wrong), []);
  });

  test('lists components, their locations and their vulnerabilities', () => {
    const made = JSON.parse(json(bill, 'SBOM_CYCLONE_DX_VERSION_V1_6'));
    assert.equal(made.metadata.component.name, 'acme/shop');
    assert.equal(made.metadata.supplier.name, 'Acme <& Co>');
    assert.deepEqual(made.components.map(({ purl }: { purl: string }) => purl).sort(), [
      'pkg:maven/org.acme/core@2.0',
      'pkg:npm/%40acme/left@1.0.0',
      'pkg:pypi/foo-bar@3',
    ]);
    const left = made.components.find(({ name }: { name: string }) => name === 'left');
    assert.equal(left.group, '@acme');
    assert.deepEqual(left.licenses, [{ license: { name: 'Our "own" <license>' } }, { license: { id: 'MIT' } }]);
    const root = made.dependencies.find(({ ref }: { ref: string }) => ref === 'project');
    assert.deepEqual(root.dependsOn, ['pkg:npm/%40acme/left@1.0.0', 'pkg:pypi/foo-bar@3']);
    assert.equal(made.vulnerabilities.length, 1);
    assert.equal(made.vulnerabilities[0].ratings[0].severity, 'critical');
    assert.deepEqual(made.vulnerabilities[0].cwes, [79]);
    assert.deepEqual(made.vulnerabilities[0].affects, [{ ref: 'pkg:npm/%40acme/left@1.0.0' }]);
  });

  test('is deterministic except for serial number and time, whatever the input order', () => {
    for (const encoding of ['json', 'xml'] as const) {
      const format = { version: 'SBOM_CYCLONE_DX_VERSION_V1_5', encoding } as const;
      const shuffled = { ...bill, components: bill.components.toReversed() };
      assert.equal(serializeSbom(shuffled, format), serializeSbom(bill, format));
      const later = serializeSbom({ ...bill, serial: crypto.randomUUID(), at: new Date() }, format);
      assert.notEqual(later, serializeSbom(bill, format));
      const bare = (text: string) => text.replace(/urn:uuid:[0-9a-f-]+/, '').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, '');
      assert.equal(bare(later), bare(serializeSbom(bill, format)));
    }
  });

  for (const version of VERSIONS)
    test(`${version} in XML is well formed and equivalent to JSON`, () => {
      const made = JSON.parse(json(bill, version));
      const texts = textsIn(xml(bill, version));
      assert.deepEqual(
        texts.get('bom/components/component/purl'),
        made.components.map(({ purl }: { purl: string }) => purl),
      );
      assert.deepEqual(texts.get('bom/metadata/supplier/name'), ['Acme <& Co>']);
      assert.deepEqual(texts.get('bom/components/component/licenses/license/name'), ['Our "own" <license>']);
      assert.deepEqual(texts.get('bom/vulnerabilities/vulnerability/id'), ['CVE-2024-1']);
      assert.match(xml(bill, version), new RegExp(`xmlns="http://cyclonedx.org/schema/bom/1.${version.slice(-1)}"`));
    });

  /** Includes characters that XML cannot represent, and lone surrogates. */
  const character = fc.nat(0xffff).map((code) => String.fromCharCode(code));

  test('in XML is well formed and complete for any names', () => {
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 30 }), (name) => {
        const [first] = bill.components;
        const odd = {
          ...bill,
          project: `p${name}`,
          components: first ? [{ ...first, name: `c${name}`, ecosystem: 'gem' }] : [],
        };
        const texts = textsIn(xml(odd, 'SBOM_CYCLONE_DX_VERSION_V1_6'));
        assert.equal(texts.get('bom/components/component/name')?.length, 1);
      }),
      { numRuns: 200 },
    );
  });
});

test('package URLs name the type, the namespace and the name as their specification says', () => {
  const cases: [string, string, string, string][] = [
    ['npm', 'left-pad', '1.0.0', 'pkg:npm/left-pad@1.0.0'],
    ['npm', '@angular/core', '1.0.0', 'pkg:npm/%40angular/core@1.0.0'],
    ['gomod', 'github.com/acme/x', 'v1.2.3', 'pkg:golang/github.com/acme/x@v1.2.3'],
    ['maven', 'org.acme:core', '1', 'pkg:maven/org.acme/core@1'],
    ['pypi', 'Django_X', '1', 'pkg:pypi/django-x@1'],
    ['swiftpm', 'github.com/a/b', '1', 'pkg:swift/github.com/a/b@1'],
    ['mix', 'phoenix', '', 'pkg:hex/phoenix'],
    ['composer', 'symfony/yaml', '1+b', 'pkg:composer/symfony/yaml@1%2Bb'],
  ];
  for (const [ecosystem, name, version, purl] of cases) assert.equal(purlOf({ ecosystem, name, version }), purl);
});
