import { columnOf } from '#domain/policies/rules.ts';
import { MODES, type Mode, type RuleEntry } from '#domain/policies/shape.ts';
import { make } from '#test/support/things.ts';
import type { World } from '#test/support/world.ts';
import type { Contest } from '../contest.ts';
import { groundIn, listed, oneOf, type Random } from './ground.ts';

const RULES = Array.from({ length: 40 }, (_, index) => `contest.rule-${index}`);

type Entry = readonly [rule: string, column: string];

const text = (entries: Iterable<Entry>) => listed([...entries].map(([rule, column]) => `${rule}:${column}`));
const put = (id: string, mode: Mode) => ({
  item: { id, type: 'rule' },
  policy: columnOf('sast', mode),
  update_type: 'add',
});
const takeOff = (id: string) => ({ item: { id, type: 'rule' }, policy: undefined, update_type: 'remove' });
type Change = ReturnType<typeof put> | ReturnType<typeof takeOff>;

const drawn = (random: Random): Change =>
  random() < 0.3 ? takeOff(oneOf(RULES, random)) : put(oneOf(RULES, random), oneOf(MODES, random));

/** Seed 4.5: rules are put into the columns of a board, moved, and taken off it. */
export async function ruleboard(world: World): Promise<Contest> {
  const { place, baseUrl, token } = await groundIn(world);
  const slug = await make({ world, place }, 'Ruleboard');
  const path = `/api/agent/deployments/${place.id}/ruleboards/${slug}`;
  const board = new Map<string, string>();
  return {
    name: '4.5 update ruleboard',
    baseUrl,
    token,
    readPath: path,
    write: { method: 'PUT', path },
    draw: (random) => ({ changes: [drawn(random)] }),
    decisive: () => ({ changes: [put('contest.rule-0', 'monitor')] }),
    told: (body) => text((body['rules'] as RuleEntry[]).map(({ item, policy }) => [item.id, policy])),
    model: {
      apply: (body) => {
        for (const { item, policy } of body['changes'] as Change[])
          if (policy === undefined) board.delete(item.id);
          else board.set(item.id, policy);
        return text(board);
      },
      whole: () => text(board),
    },
    stored: async () => {
      const rows = await world.look<{ path: string; mode: Mode }>(
        `select path, mode from ruleboard_item join ruleboard on ruleboard.id = ruleboard_id
         where ruleboard_item.deployment_id = $1 and slug = $2`,
        [place.id, slug],
      );
      return text(rows.map((row) => [row.path, columnOf('sast', row.mode)]));
    },
  };
}
