import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isJsonMediaType } from '#kernel/http/request/media-type.ts';

const accepted = [
  'application/json',
  'Application/JSON',
  'APPLICATION/json',
  'application/json;charset=utf-8',
  'application/json; charset=utf-8',
  'application/json ;charset=utf-8',
  'application/json\t;\tcharset=utf-8',
  'application/json  ;   charset=utf-8',
  'application/json; charset=UTF-8',
  'application/json; Charset=Utf-8',
  'application/json; CHARSET="utf-8"',
  'application/json; charset="UTF-8"',
  'application/json;',
  'application/json;;',
  'application/json; ;charset=utf-8',
  'application/json;charset=utf-8;',
];

const refused = [
  ...[
    '',
    ' ',
    ';',
    '/',
    '*/*',
    'json',
    'application',
    'application/',
    '/json',
    'application/*',
    'text/json',
    'text/plain',
  ],
  ...['application/jsonp', 'application/json5', 'application/xjson', 'application/json-seq', 'application/ld+json'],
  ...[
    'application/problem+json',
    'application/vnd.api+json',
    'application/x-ndjson',
    'application/json+x',
    'xapplication/json',
  ],
  ...[' application/json', 'application/json ', '\tapplication/json', 'application/json\t', 'application /json'],
  ...['application/ json', 'application/json\n', 'application/json\r\n', 'application/json\0', 'application/json\v'],
  ...[
    'application/json\u00a0',
    '\ufeffapplication/json',
    'application/j\u017fon',
    'application\\json',
    'application//json',
  ],
  ...[
    'application/json/',
    'application/json x',
    'application/json,',
    'application/json, text/plain',
    'application/json,application/json',
  ],
  ...['application/json charset=utf-8', 'application/json&charset=utf-8', 'application/json:charset=utf-8'],
  ...[
    'application/json; charset',
    'application/json; charset=',
    'application/json; charset =utf-8',
    'application/json; charset= utf-8',
  ],
  ...['application/json; charset=utf8', 'application/json; charset=utf-16', 'application/json; charset=iso-8859-1'],
  ...['application/json; charset="utf-8', 'application/json; charset=utf-8"', 'application/json; charset=""'],
  ...['application/json; charset=" utf-8"', "application/json; charset='utf-8'", 'application/json; charset="utf-8;"'],
  ...['application/json; charset=utf-8; charset=utf-8', 'application/json; charset=utf-8; charset=utf-16'],
  ...[
    'application/json; boundary=x',
    'application/json; charset=utf-8; boundary=x',
    'application/json; q=1',
    'application/json; x',
  ],
  ...[
    'application/json; charset=utf-8 x',
    'application/json; charset=utf-8,',
    'application/json; charset=utf-8\n',
    ';application/json',
  ],
  ...['multipart/form-data; boundary=application/json', 'application/x-www-form-urlencoded', '"application/json"'],
];

test('HTP-03 application/json is accepted alone or with charset=utf-8, in every spelling RFC 9110 allows', () => {
  for (const contentType of accepted) assert.equal(isJsonMediaType(contentType), true, JSON.stringify(contentType));
});

test('HTP-03 every other media type is refused', () => {
  assert.ok(new Set([...accepted, ...refused]).size >= 60);
  for (const contentType of refused) assert.equal(isJsonMediaType(contentType), false, JSON.stringify(contentType));
  assert.equal(isJsonMediaType(undefined), false);
});

test('HTP-03 anything added around an accepted type is refused unless it is OWS and semicolons', () => {
  fc.assert(
    fc.property(fc.constantFrom(...accepted), fc.string({ unit: 'binary', minLength: 1 }), (contentType, extra) => {
      fc.pre(!/^[; \t]*$/.test(extra));
      assert.equal(isJsonMediaType(extra + contentType), false);
      fc.pre(!/^[; \t]*charset="?utf-8"?[; \t]*$/i.test(extra));
      assert.equal(isJsonMediaType(contentType + extra), false);
    }),
  );
});

test('INP-09 a very long header is refused at once', () => {
  assert.equal(isJsonMediaType(`application/json${' '.repeat(16_000)};`), false);
  assert.equal(isJsonMediaType(`application/json${';'.repeat(16_000)}`), false);
});
