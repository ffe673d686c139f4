import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { itemsOfKind, parseReport } from '#test/support/reports/report-fixtures.ts';
import { reportedSchema } from '#test/support/reports/reported-schema.ts';
import { ReportError } from '../report-error.ts';
import { MappingError, parseMapping } from './read-mapping.ts';
import { valuesAt } from './value-paths.ts';

const FIELDS = 'fields: { rule: id, file: path, line: line, severity: level }';

const findingsOf = async (report: string, mapping: string) =>
  itemsOfKind(await parseReport(report, { mapping: parseMapping(mapping) }), 'finding');

test('JSON is read by the paths of a mapping, and only results that it wants', async () => {
  const mapping = `
    tool: Acme
    format: json
    results: report.issues[]
    kind: code
    fields:
      rule: check.id
      file: [place.file, file]
      line: place.lines[0]
      message: { value: Found by Acme }
      severity: level
      cwe: check.weaknesses[].number
      id: key
    severities: { Bad: critical, soso: low }
    only: { state: [open, 1] }`;
  const report = {
    report: {
      issues: [
        {
          check: { id: 'A1', weaknesses: [{ number: 89 }, { number: 79 }] },
          place: { file: './a.py', lines: [3, 4] },
          level: 'BAD',
          state: 'open',
          key: 'k1',
        },
        { check: { id: 'A2' }, file: 'b.py', level: 'unknown', state: 1 },
        { check: { id: 'A3' }, file: 'c.py', state: 'closed' },
      ],
    },
  };
  const found = await findingsOf(JSON.stringify(report), mapping);
  assert.deepEqual(found, [
    {
      kind: 'finding',
      product: 'sast',
      rule: 'A1',
      message: 'Found by Acme',
      severity: 'critical',
      cwes: ['CWE-89', 'CWE-79'],
      path: 'a.py',
      region: { line: 3, column: 0, endLine: 3, endColumn: 0 },
      fingerprints: { mapped: 'k1' },
    },
    {
      kind: 'finding',
      product: 'sast',
      rule: 'A2',
      message: 'Found by Acme',
      path: 'b.py',
      region: { line: 0, column: 0, endLine: 0, endColumn: 0 },
      fingerprints: {},
    },
  ]);
});

test('members of an object are results, with their name as *', async () => {
  const mapping = 'tool: t\nformat: json\nresults: rules.*\nkind: resource\nfields: { rule: "*", resource: arn }';
  const found = await findingsOf('{"rules":{"R1":{"arn":"arn:x"}}}', mapping);
  assert.deepEqual(
    found.map(({ rule, path, place }) => [rule, path, place]),
    [['R1', 'arn:x', 'resource']],
  );
});

test('JSON lines, CSV and XML are read the same way', async () => {
  const shown = (found: Awaited<ReturnType<typeof findingsOf>>) =>
    found.map(({ rule, path, region, severity }) => `${rule} ${path}:${region.line} ${severity}`);
  const lines = await findingsOf(
    '{"id":"R","path":"a","line":2,"level":"high"}\n',
    `tool: t\nformat: jsonl\nkind: code\n${FIELDS}`,
  );
  const table = await findingsOf(
    'id;path;line;level\nR;a;2;high\n',
    `tool: t\nformat: csv\nseparator: ;\nkind: code\n${FIELDS}`,
  );
  const xml = await findingsOf(
    '<out><hit id="R" level="high"><at><path>a</path><line n="2"/></at></hit></out>',
    `tool: t\nformat: xml\nroot: out\nresults: hit\nkind: code
fields: { rule: "@id", file: at.path, line: "at.line.@n", severity: "@level" }`,
  );
  for (const found of [lines, table, xml]) assert.deepEqual(shown(found), ['R a:2 high']);
});

test('components, secrets and endpoints have what their kind needs', async () => {
  const component = await findingsOf(
    '[{"cve":"CVE-2021-1","pkg":"left-pad","v":"1.0","score":9.8,"eco":"Node.js"}]',
    'tool: t\nformat: json\nresults: "[]"\nkind: component\n' +
      'fields: { advisories: cve, package: pkg, version: v, severity: score, ecosystem: eco }',
  );
  assert.deepEqual([component[0]?.severity, component[0]?.sca?.ecosystem], ['critical', 'npm']);
  const secret = await findingsOf(
    '[{"r":"token","f":"a.env","v":"s3cr3t-value-123456","c":"T=s3cr3t-value-123456"}]',
    'tool: t\nformat: json\nresults: "[]"\nkind: secret\nfields: { rule: r, file: f, value: v, code: c, message: c }',
  );
  const { secret: found, ...rest } = secret[0] ?? { secret: undefined };
  assert.equal(found?.value, 's3cr3t-value-123456');
  assert.ok(!JSON.stringify(rest).includes('s3cr3t-value-123456'));
  const [endpoint] = await findingsOf(
    '[{"r":"xss","u":"https://a.test/x?q=1","m":"get","p":"q"}]',
    'tool: t\nformat: json\nresults: "[]"\nkind: endpoint\nfields: { rule: r, url: u, method: m, parameter: p }',
  );
  assert.deepEqual([endpoint?.path, endpoint?.scope, endpoint?.place], ['https://a.test/x', 'GET q', 'endpoint']);
});

test('a report that the mapping does not describe is refused, not read as empty', async () => {
  const wrong: [report: string, mapping: string, problem: RegExp][] = [
    [
      '{"other":[]}',
      `tool: t\nformat: json\nresults: hits[]\nkind: code\n${FIELDS}`,
      /lacks hits\. It was read as mapped/,
    ],
    ['{"a":1}', `tool: t\nformat: jsonl\nkind: code\n${FIELDS}`, /No result of the report has id/],
    ['a,b\n1,2\n', `tool: t\nformat: csv\nkind: code\n${FIELDS}`, /lacks the columns id, path, line, level/],
    [
      '<x/>',
      `tool: t\nformat: xml\nroot: out\nresults: hit\nkind: code\n${FIELDS}`,
      /root element of the report is not out/,
    ],
  ];
  for (const [report, mapping, problem] of wrong)
    await assert.rejects(
      findingsOf(report, mapping),
      (error) => error instanceof ReportError && problem.test(error.message),
    );
  await assert.rejects(parseReport('{}', { format: 'mapped' }), /needs the name of a mapping/);
});

test('a mapping with a mistake is refused with what is wrong', () => {
  const wrong: [mapping: string, problem: RegExp][] = [
    ['tool: [', /not YAML/],
    ['tool: t\nformat: json\nkind: code\nfields: { rule: a, file: b }', /results must be a path that ends with \[\]/],
    ['tool: t\nformat: csv\nkind: code\nfields: { rule: a }', /fields must have file for the kind code/],
    ['tool: t\nformat: csv\nkind: code\nfields: { rule: a, file: b, size: c }', /fields/],
    ['tool: t\nformat: csv\nkind: code\nfields: { rule: a, file: b }\nseverities: { x: bad }', /severities\.x/],
    [`a: &a [x]\nb: [*a, *a]`, /./],
    ['x'.repeat(70_000), /larger than 64 KiB/],
  ];
  for (const [mapping, problem] of wrong)
    assert.throws(
      () => parseMapping(mapping),
      (error) => error instanceof MappingError && problem.test(error.message),
      mapping.slice(0, 80),
    );
});

test('any JSON gives valid items with any path', async () => {
  const paths = fc.constantFrom(
    'a',
    'a.b',
    'a[0]',
    'a[]',
    'a[].b[]',
    '*',
    '__proto__',
    'constructor.name',
    '[0]',
    '...',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 4 }), paths, paths, async (results, rule, file) => {
      const mapping = parseMapping(
        JSON.stringify({
          tool: 't',
          format: 'json',
          results: '[]',
          kind: 'code',
          fields: { rule, file, line: rule, cwe: file },
        }),
      );
      for (const item of await parseReport(JSON.stringify(results), { mapping }))
        assert.ok(reportedSchema.safeParse(item).success);
    }),
  );
});

test('paths go through lists, and names with dots are found as they are', () => {
  const record = { 'a.b': 1, list: [{ x: [1, 2] }, { x: 3 }], name: { '#text': 't', '@k': 'v' } };
  assert.deepEqual(valuesAt(record, 'a.b'), [1]);
  assert.deepEqual(valuesAt(record, 'list.x'), [1, 2, 3]);
  assert.deepEqual(valuesAt(record, 'list[1].x'), [3]);
  assert.deepEqual(valuesAt(record, 'name'), ['t']);
  assert.deepEqual(valuesAt(record, 'name.@k'), ['v']);
  assert.deepEqual(valuesAt(record, 'none.x'), []);
});
