import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  FixedWindowLimiter,
  type FixedWindowLimiterOptions,
  rateLimitHeaders,
} from '#kernel/http/limits/fixed-window-limiter.ts';

function limiterAt(options: FixedWindowLimiterOptions) {
  const time = { nowMs: 0 };
  return { time, limiter: new FixedWindowLimiter({ clock: () => time.nowMs, ...options }) };
}

const api = { quota: 600, windowMs: 60_000 };

test('LIM-01 a window admits exactly the quota, however the takes are distributed', () => {
  const steps = fc.array(fc.nat(999), { minLength: 60, maxLength: 200, size: 'max' });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), steps, (quota, waits) => {
      const { time, limiter } = limiterAt({ policies: { api: { quota, windowMs: 200_000 } } });
      let allowed = 0;
      for (const waitMs of waits) {
        if (limiter.take('api', 'key').allowed) allowed += 1;
        time.nowMs += waitMs;
      }
      assert.equal(allowed, Math.min(quota, waits.length));
    }),
  );
});

test('LIM-01 every window of a long run admits at most the limit and a full one exactly that', () => {
  const takes = fc.array(fc.record({ waitMs: fc.nat(400), cost: fc.integer({ min: 1, max: 4 }) }), {
    maxLength: 300,
    size: 'max',
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 4 }), takes, (quota, nodes, run) => {
      const { time, limiter } = limiterAt({ policies: { api: { quota, windowMs: 1_000 } }, nodes: () => nodes });
      const limit = Math.max(1, Math.floor(quota / nodes));
      let used = 0;
      let endsAtMs = 0;
      for (const { waitMs, cost } of run) {
        time.nowMs += waitMs;
        if (time.nowMs >= endsAtMs) {
          used = 0;
          endsAtMs = time.nowMs + 1_000;
        }
        const isExpected = used + cost <= limit;
        if (isExpected) used += cost;
        const resetSeconds = Math.ceil((endsAtMs - time.nowMs) / 1_000);
        assert.deepEqual(limiter.take('api', 'key', cost), {
          allowed: isExpected,
          limit,
          remaining: limit - used,
          resetSeconds,
          retryAfterSeconds: isExpected ? 0 : resetSeconds,
        });
      }
    }),
  );
});

test('LIM-01 waiting for Retry-After is enough, and one second less may not be', () => {
  const { time, limiter } = limiterAt({ policies: { api: { quota: 1, windowMs: 10_000 } } });
  limiter.take('api', 'key');
  time.nowMs = 4_500;
  const refused = limiter.take('api', 'key');
  assert.equal(refused.retryAfterSeconds, 6);
  time.nowMs += 5_000;
  assert.equal(limiter.take('api', 'key').allowed, false);
  time.nowMs += 1_000;
  assert.equal(limiter.take('api', 'key').allowed, true);
});

test('LIM-01 keys and policies do not use up the quota of each other', () => {
  const policies = { api: { quota: 2, windowMs: 1_000 }, write: { quota: 1, windowMs: 1_000 } };
  const { limiter } = limiterAt({ policies });
  const keys = ['a', 'b', '', '__proto__', 'a:b'];
  for (const key of keys) {
    assert.deepEqual([limiter.take('api', key).remaining, limiter.take('api', key).remaining], [1, 0]);
    assert.equal(limiter.take('api', key).allowed, false);
    assert.equal(limiter.take('write', key).allowed, true);
    assert.equal(limiter.take('write', key).allowed, false);
  }
});

test('LIM-01 all nodes together admit no more than the quota if it is large enough for all', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 20 }), (quota, nodes) => {
      let allowed = 0;
      for (let node = 0; node < nodes; node += 1) {
        const { limiter } = limiterAt({ policies: { api: { quota, windowMs: 1_000 } }, nodes: () => nodes });
        for (let take = 0; take < quota + 1; take += 1) if (limiter.take('api', 'key').allowed) allowed += 1;
      }
      assert.ok(allowed <= Math.max(quota, nodes));
      assert.ok(allowed > quota - nodes);
    }),
  );
});

test('LIM-03 with an invalid node count the local limit applies', () => {
  for (const nodes of [0, -1, Number.NaN, 0.5, 1]) {
    const { limiter } = limiterAt({ policies: { api: { quota: 3, windowMs: 1_000 } }, nodes: () => nodes });
    const results = Array.from({ length: 5 }, () => limiter.take('api', 'key').allowed);
    assert.deepEqual(results, [true, true, true, false, false]);
  }
  const { limiter } = limiterAt({ policies: { api }, nodes: () => Number.POSITIVE_INFINITY });
  assert.equal(limiter.take('api', 'key').limit, 1);
});

test('LIM-01 a node that joins during a window lowers the remaining quota, but not below zero', () => {
  let nodes = 1;
  const { limiter } = limiterAt({ policies: { api: { quota: 10, windowMs: 1_000 } }, nodes: () => nodes });
  for (let take = 0; take < 8; take += 1) limiter.take('api', 'key');
  nodes = 2;
  const result = limiter.take('api', 'key');
  assert.deepEqual([result.allowed, result.limit, result.remaining], [false, 5, 0]);
  nodes = 1;
  assert.equal(limiter.take('api', 'key').remaining, 1);
});

test('memory is bounded, and the least recently used key is evicted first', () => {
  const { limiter } = limiterAt({ policies: { api: { quota: 2, windowMs: 60_000 } }, maxKeys: 3 });
  for (const key of ['a', 'b', 'c', 'a', 'd']) limiter.take('api', key);
  assert.equal(limiter.size, 3);
  assert.equal(limiter.take('api', 'a').allowed, false, 'a was used recently and is still known');
  assert.equal(limiter.take('api', 'b').remaining, 1, 'b was forgotten and starts anew');
  for (let index = 0; index < 1_000; index += 1) limiter.take('api', `flood ${index}`);
  assert.equal(limiter.size, 3);
});

test('a flood of keys in one policy does not evict the keys of another', () => {
  const policies = { address: api, login: { quota: 1, windowMs: 60_000 } };
  const { limiter } = limiterAt({ policies, maxKeys: 10 });
  limiter.take('login', 'account');
  for (let index = 0; index < 100; index += 1) limiter.take('address', String(index));
  assert.equal(limiter.take('login', 'account').allowed, false);
});

test('expired buckets are removed while others are used', () => {
  const { time, limiter } = limiterAt({ policies: { api } });
  for (let index = 0; index < 1_000; index += 1) limiter.take('api', String(index));
  time.nowMs = api.windowMs;
  for (let index = 0; index < 600; index += 1) limiter.take('api', 'one');
  assert.equal(limiter.size, 1);
});

test('LIM-01 the headers publish the policy and the remaining quota, and Retry-After only when refused', () => {
  const { time, limiter } = limiterAt({ policies: { api } });
  limiter.take('api', 'key', 19);
  time.nowMs = 18_000;
  assert.deepEqual(rateLimitHeaders('api', api, limiter.take('api', 'key')), {
    'RateLimit-Policy': '"api";q=600;w=60',
    RateLimit: '"api";r=580;t=42',
  });
  limiter.take('api', 'key', 580);
  assert.deepEqual(rateLimitHeaders('api', api, limiter.take('api', 'key')), {
    'RateLimit-Policy': '"api";q=600;w=60',
    RateLimit: '"api";r=0;t=42',
    'Retry-After': '42',
  });
});

test('the headers name the share of this server, which is what holds for a client that stays with it', () => {
  const { limiter } = limiterAt({ policies: { api }, nodes: () => 2 });
  assert.deepEqual(rateLimitHeaders('api', api, limiter.take('api', 'key')), {
    'RateLimit-Policy': '"api";q=300;w=60',
    RateLimit: '"api";r=299;t=60',
  });
});

test('an unknown policy or an invalid cost throws', () => {
  const { limiter } = limiterAt({ policies: { api } });
  assert.throws(() => limiter.take('other', 'key'), /no limit policy/);
  assert.throws(() => limiter.take('toString', 'key'), /no limit policy/);
  for (const cost of [0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => limiter.take('api', 'key', cost), /cost/);
  }
  for (const policy of [
    { ...api, quota: 0 },
    { ...api, quota: 1.5 },
    { ...api, windowMs: 0 },
  ]) {
    assert.throws(() => new FixedWindowLimiter({ policies: { api: policy } }), /policy/);
  }
  assert.throws(() => new FixedWindowLimiter({ policies: { 'a"b': api } }), /kebab-case name/);
});

test('without options the real clock and one node are used', () => {
  const limiter = new FixedWindowLimiter({ policies: { api: { quota: 1, windowMs: 3_600_000 } } });
  assert.equal(limiter.take('api', 'key').allowed, true);
  assert.equal(limiter.take('api', 'key').allowed, false);
});
