import { test } from 'node:test';
import { foundDemo } from '#domain/demo/founding.ts';
import { World } from '#test/support/world.ts';
import { loadDemo } from './load.ts';

test('scratch', { timeout: 1_200_000 }, async () => {
  const world = await World.start();
  const size = (process.env['SIZE'] ?? 'small') as 'small';
  try {
    const account = await world.account();
    const { db, powers } = world.assembly;
    const demo = await db.transaction({ role: 'door', isRead: false }, (tx) =>
      foundDemo(tx, world.keys, { account: account.id, size, now: new Date(Date.UTC(2026, 10, 15, 9)) }),
    );
    const start = performance.now();
    let last = start;
    await loadDemo({
      db,
      powers,
      deployment: demo.deployment,
      onProgress: (done, total) => {
        const now = performance.now();
        if (now - last > 300 || done === total)
          console.log(done, total, Math.round(now - start), Math.round(now - last));
        last = now;
      },
    });
    console.log('ms', performance.now() - start);
    for (const sql of [
      'select count(*) from finding',
      'select product, count(*) from finding group by 1',
      'select severity, count(*) from finding group by 1 order by 1',
      'select status, count(*) from finding group by 1',
      'select kind, count(*) from finding_event group by 1',
      'select end_reason, end_class, is_eligible, shown_at is not null as shown, decided_state, count(*) from guardrail_episode group by 1,2,3,4,5 order by 1,2,3',
      'select state, count(*) from exception_request group by 1',
      'select status, mode, count(*) from scan group by 1,2',
      'select count(*) from dependency',
      'select mode, count(*) from finding group by 1',
      'select relation, count(*) from finding_link group by 1',
      'select reopened_count, count(*) from finding group by 1',
      'select validation, count(*) from finding group by 1',
      'select reachability, count(*) from finding group by 1',
      'select tool, is_flapping, is_held, count(*) from finding group by 1,2,3',
      'select rule, count(*) from finding group by 1 order by 2 desc limit 12',
      `select triage_until from finding where triage_until is not null group by 1`,
    ])
      console.log(sql, JSON.stringify(await world.look(sql)));
    console.log(
      JSON.stringify(
        await world.look(
          `select date_trunc('week', d)::date::text as d, (select count(*) from finding where first_seen_at <= d and (fixed_at is null or fixed_at > d) and state<>'removed') as open from generate_series('2026-05-20'::timestamptz,'2026-11-15','7 days') d`,
        ),
      ),
    );
    const t = performance.now();
    await world.in({ id: demo.deployment }, async (tx) => {
      await tx.run`delete from deployment where id = ${demo.deployment}`;
    });
    console.log('delete ms', performance.now() - t);
    for (const { name } of await world.look<{ name: string }>(
      `select table_name as name from information_schema.columns where column_name='deployment_id' and table_schema='public'`,
    )) {
      const [row] = await world.look<{ count: string }>(
        `select count(*) from ${name} where deployment_id = ${demo.deployment}`,
      );
      if (row?.count !== '0') console.log('left', name, row?.count);
    }
  } finally {
    await world.stop();
  }
});
