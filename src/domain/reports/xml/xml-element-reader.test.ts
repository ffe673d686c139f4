import assert from 'node:assert/strict';
import { test } from 'node:test';
import { itemsOfKind, parseReport } from '#test/support/reports/report-fixtures.ts';
import { XmlElementReader } from './xml-element-reader.ts';

const LIMITS = { maxDepth: 20, maxValueBytes: 500 };

function elementsOf(xml: string, size = 7, limits = LIMITS) {
  const reader = new XmlElementReader({ roots: ['r'], elements: ['item'], starts: ['group'] }, limits);
  const bytes = Buffer.from(xml);
  const found = [];
  for (let at = 0; at < bytes.length; at += size) found.push(...reader.push(bytes.subarray(at, at + size)));
  return { found: [...found, ...reader.finish()], oversize: reader.takeOversize() };
}

test('elements come with their children, start tags at once, and both know their ancestors', () => {
  const xml =
    '<?xml version="1.0"?><r><x:group n="1"><item a="é&amp;"><b>t<![CDATA[<]]></b><item/></item></x:group></r>';
  for (const size of [1, 7, 1000]) {
    const { found } = elementsOf(xml, size);
    assert.deepEqual(found, [
      { name: 'group', attributes: { n: '1' }, children: [], text: '', within: ['r'] },
      {
        name: 'item',
        attributes: { a: 'é&' },
        children: [
          { name: 'b', attributes: {}, children: [], text: 't<', within: [] },
          { name: 'item', attributes: {}, children: [], text: '', within: [] },
        ],
        text: '',
        within: ['r', 'group'],
      },
    ]);
  }
});

test('an oversized element is omitted, and the following ones are read', async () => {
  const many = '<group/>'.repeat(100);
  const { found, oversize } = elementsOf(`<r>${many}<item>${'x'.repeat(600)}</item><item a="1"/></r>`);
  assert.deepEqual([found.filter(({ name }) => name === 'item').length, oversize], [1, 1]);
  const errors = `<error message="${'x'.repeat(2000)}"/><error message="m" line="1"/>`;
  const report = `<checkstyle><file name="a">${errors}</file></checkstyle>`;
  const items = await parseReport(report, { limits: { maxValueBytes: 1000 } });
  assert.equal(itemsOfKind(items, 'finding').length, 1);
  assert.equal(itemsOfKind(items, 'warning').length, 1);
  assert.equal(itemsOfKind(items, 'coverage')[0]?.isIncomplete, true);
});

const ENTITY = '<!ENTITY a SYSTEM "file:///etc/passwd">';
const ATTACKS: [name: string, xml: string][] = [
  ['an external entity', `<!DOCTYPE r [${ENTITY}]><r><item>&a;</item></r>`],
  ['a billion laughs', '<!DOCTYPE r [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;">]><r><item>&b;</item></r>'],
  ['a parameter entity', '<!DOCTYPE r [<!ENTITY % p SYSTEM "http://example.test/x.dtd"> %p;]><r/>'],
  ['an external DTD', '<!DOCTYPE r SYSTEM "http://example.test/x.dtd"><r/>'],
  ['an entity that nobody declared', '<r><item>&a;</item></r>'],
];

for (const [name, xml] of ATTACKS) {
  test(`UPL-04: ${name} is rejected`, () => {
    assert.throws(() => elementsOf(xml), { name: 'ReportProblem', code: 'NOT_VALID' });
  });
}

test('UPL-04: XInclude is an ordinary element', () => {
  const { found } = elementsOf(
    '<r xmlns:xi="http://www.w3.org/2001/XInclude"><item><xi:include href="file:///etc/passwd"/></item></r>',
  );
  assert.deepEqual(found[0]?.children[0]?.children, []);
});

test('XML with another root element is rejected', () => {
  assert.throws(() => elementsOf('<html><item/></html>'), { code: 'NOT_VALID' });
});

test('truncated, invalid or too deeply nested XML is rejected', () => {
  assert.throws(() => elementsOf('<r><item>'), { code: 'NOT_VALID' });
  assert.throws(() => elementsOf('<r></x>'), { code: 'NOT_VALID' });
  assert.throws(() => elementsOf('<r>'.repeat(30)), { code: 'TOO_DEEP' });
});
