import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeJsonText } from '#kernel/http/json/json-decode.ts';
import { JsonParseError } from '#kernel/http/json/json-error.ts';

function refusalOf(body: Uint8Array | string): JsonParseError {
  try {
    decodeJsonText(body, 1_000_000);
  } catch (error) {
    assert.ok(error instanceof JsonParseError);
    return error;
  }
  assert.fail('the body was accepted');
}

const unit = { unit: 'binary' } as const;

test('INP-04 valid UTF-8 is decoded losslessly, also from the middle of a larger buffer', () => {
  fc.assert(
    fc.property(fc.string(unit), fc.nat(7), (text, offset) => {
      fc.pre(!text.startsWith('\ufeff'));
      const bytes = Buffer.from(text);
      const larger = new Uint8Array(offset + bytes.length + 3).fill(0xff);
      larger.set(bytes, offset);
      const body = larger.subarray(offset, offset + bytes.length);
      assert.deepEqual(Buffer.from(decodeJsonText(body, 1_000_000)), bytes);
    }),
  );
});

const invalidSequences = [
  [0x80],
  [0xbf],
  [0xc0, 0x80],
  [0xc1, 0xbf],
  [0xc3],
  [0xe0, 0x80, 0xaf],
  [0xed, 0xa0, 0x80],
  [0xed, 0xbf, 0xbf],
  [0xef, 0xbf],
  [0xf0, 0x80, 0x80, 0x80],
  [0xf0, 0x9f, 0x98],
  [0xf4, 0x90, 0x80, 0x80],
  [0xf5, 0x80, 0x80, 0x80],
  [0xfe],
  [0xff],
];

test('INP-04 overlong, truncated, surrogate and out-of-range sequences are refused at their offset', () => {
  fc.assert(
    fc.property(fc.string(unit), fc.constantFrom(...invalidSequences), fc.string(unit), (before, bad, after) => {
      const refusal = refusalOf(Buffer.concat([Buffer.from(before), Buffer.from(bad), Buffer.from(after)]));
      const lines = before.split('\n');
      assert.deepEqual([refusal.line, refusal.column], [lines.length, (lines.at(-1) ?? '').length + 1]);
      assert.equal(refusal.reason, 'The body is not valid UTF-8.');
      assert.equal(refusal.isTooLarge, false);
    }),
  );
});

test('INP-04 text with a lone surrogate is refused at its offset', () => {
  for (let code = 0xd800; code <= 0xdfff; code += 1) {
    const refusal = refusalOf(`"😀\n${String.fromCharCode(code)}"`);
    assert.deepEqual([refusal.line, refusal.column], [2, 1]);
  }
});

test('a byte order mark is refused in bytes, in text and in UTF-16', () => {
  for (const body of [Buffer.from('\ufeff1'), '\ufeff1', Buffer.from('\ufeff')]) {
    assert.equal(refusalOf(body).reason, 'The body starts with a byte order mark.');
  }
  refusalOf(Buffer.from('\ufeff{"a":1}', 'utf16le'));
});

test('INP-02 the size of a body is measured in UTF-8 bytes', () => {
  assert.equal(decodeJsonText('"é"', 4), '"é"');
  assert.throws(() => decodeJsonText('"é"', 3), { isTooLarge: true, reason: 'The body is larger than 3 bytes.' });
  assert.throws(() => decodeJsonText(Buffer.from('"é"'), 3), { isTooLarge: true });
});
