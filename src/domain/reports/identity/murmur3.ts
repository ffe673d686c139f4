const MASK = (1n << 64n) - 1n;
const C1 = 0x87c37b91114253d5n;
const C2 = 0x4cf5ad432745937fn;

const rotate = (value: bigint, by: bigint) => ((value << by) | (value >> (64n - by))) & MASK;
const times = (a: bigint, b: bigint) => (a * b) & MASK;
const mixed1 = (k: bigint) => times(rotate(times(k, C1), 31n), C2);
const mixed2 = (k: bigint) => times(rotate(times(k, C2), 33n), C1);

function avalanche(value: bigint): bigint {
  let h = value ^ (value >> 33n);
  h = times(h, 0xff51afd7ed558ccdn);
  h ^= h >> 33n;
  h = times(h, 0xc4ceb9fe1a85ec53n);
  return h ^ (h >> 33n);
}

/** MurmurHash3, x64, 128 bits, seed 0; not for security, only to reproduce Semgrep's ids. */
export function murmur3(bytes: Buffer): { h1: bigint; h2: bigint } {
  let h1 = 0n;
  let h2 = 0n;
  const whole = bytes.length - (bytes.length % 16);
  for (let at = 0; at < whole; at += 16) {
    h1 = rotate(h1 ^ mixed1(bytes.readBigUInt64LE(at)), 27n);
    h1 = (times(h1 + h2, 5n) + 0x52dce729n) & MASK;
    h2 = rotate(h2 ^ mixed2(bytes.readBigUInt64LE(at + 8)), 31n);
    h2 = (times(h2 + h1, 5n) + 0x38495ab5n) & MASK;
  }
  const tail = Buffer.alloc(16);
  bytes.copy(tail, 0, whole);
  h2 ^= mixed2(tail.readBigUInt64LE(8));
  h1 ^= mixed1(tail.readBigUInt64LE(0));
  const length = BigInt(bytes.length);
  h1 ^= length;
  h2 ^= length;
  h1 = (h1 + h2) & MASK;
  h2 = (h2 + h1) & MASK;
  h1 = avalanche(h1);
  h2 = avalanche(h2);
  h1 = (h1 + h2) & MASK;
  h2 = (h2 + h1) & MASK;
  return { h1, h2 };
}
