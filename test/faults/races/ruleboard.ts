import { columnSlugOf } from '#domain/policies/rules.ts';
import { RULE_MODES, type RuleboardEntry, type RuleMode } from '#domain/policies/shape.ts';
import { makeObject } from '#test/support/factories/example-objects.ts';
import type { World } from '#test/support/world/world.ts';
import type { Race } from '../race.ts';
import { listed, makeRaceDeployment, oneOf, type Random } from './race-deployment.ts';

const RULES = Array.from({ length: 40 }, (_, index) => `contest.rule-${index}`);

type Entry = readonly [rule: string, column: string];

const text = (entries: Iterable<Entry>) => listed([...entries].map(([rule, column]) => `${rule}:${column}`));
const put = (id: string, mode: RuleMode) => ({
  item: { id, type: 'rule' },
  policy: columnSlugOf('sast', mode),
  update_type: 'add',
});
const takeOff = (id: string) => ({ item: { id, type: 'rule' }, policy: undefined, update_type: 'remove' });
type Change = ReturnType<typeof put> | ReturnType<typeof takeOff>;

const drawn = (random: Random): Change =>
  random() < 0.3 ? takeOff(oneOf(RULES, random)) : put(oneOf(RULES, random), oneOf(RULE_MODES, random));

/** Seed 4.5: rules are added to the columns of a board, moved and removed. */
export async function ruleboard(world: World): Promise<Race> {
  const { place, baseUrl, token } = await makeRaceDeployment(world);
  const slug = await makeObject({ world, place }, 'Ruleboard');
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
    told: (body) => text((body['rules'] as RuleboardEntry[]).map(({ item, policy }) => [item.id, policy])),
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
      const rows = await world.queryAsOwner<{ path: string; mode: RuleMode }>(
        `select path, mode from ruleboard_item join ruleboard on ruleboard.id = ruleboard_id
         where ruleboard_item.deployment_id = $1 and slug = $2`,
        [place.id, slug],
      );
      return text(rows.map((row) => [row.path, columnSlugOf('sast', row.mode)]));
    },
  };
}
