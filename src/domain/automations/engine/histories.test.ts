import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { automationOf, condition, considerAll } from '#test/support/factories/automations.ts';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { checkProperty } from '#test/support/properties.ts';
import { World } from '#test/support/world/world.ts';

let world: World;
before(async () => {
  world = await World.start();
});
after(() => world.stop());

const NAMES = ['a', 'b', 'c', 'd'] as const;
const SEVERITIES = ['low', 'medium', 'high'] as const;
type Severity = (typeof SEVERITIES)[number];

/** One scan: the severity of each finding that it reports. Or a change of the conditions. */
type Step = { kind: 'scan'; reported: (Severity | undefined)[] } | { kind: 'edit'; severities: Severity[] };

const severities = fc.subarray([...SEVERITIES], { minLength: 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('scan' as const),
      reported: fc.tuple(...NAMES.map(() => fc.option(fc.constantFrom(...SEVERITIES), { nil: undefined }))),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('edit' as const), severities }) },
);

/** The matches that the rules of automations demand: on the edge to true, once for each finding and episode. */
function expectedMatches(first: readonly Severity[], steps: readonly Step[]): string[] {
  const known = new Map<string, { severity: Severity; episode: number; isOpen: boolean }>();
  const fired: string[] = [];
  let wanted = first;
  for (const one of steps) {
    if (one.kind === 'edit') {
      wanted = one.severities;
      continue;
    }
    for (const [index, name] of NAMES.entries()) {
      const severity = one.reported[index];
      const old = known.get(name);
      if (severity === undefined) {
        if (old) old.isOpen = false;
        continue;
      }
      const isNew = !old?.isOpen;
      const episode = old ? old.episode + (old.isOpen ? 0 : 1) : 0;
      const held = !isNew && old !== undefined && wanted.includes(old.severity);
      const isChanged = old?.severity !== severity;
      if (wanted.includes(severity) && !held && (isNew || isChanged) && !fired.includes(`${name} ${episode}`))
        fired.push(`${name} ${episode}`);
      known.set(name, { severity, episode, isOpen: true });
    }
  }
  return fired.sort();
}

test('the matches of random histories are those that brute force finds', async (context) => {
  const history = fc.record({ first: severities, steps: fc.array(step, { minLength: 1, maxLength: 8 }) });
  const property = fc.asyncProperty(history, async ({ first, steps }) => {
    const place = await world.deployment();
    const scene = { world, place };
    const scans = await ProjectScans.start(world, place);
    const automation = await automationOf(scene, { conditions: [condition('SEVERITY', ...first)] });
    for (const one of steps) {
      if (one.kind === 'edit') {
        const conditions = [condition('SEVERITY', ...one.severities)];
        await world.queryAsOwner(`update automation set filters = $2 where id = $1`, [
          automation,
          JSON.stringify({ mode: 'MODE_ALL', conditions }),
        ]);
        continue;
      }
      await scans.scan(
        NAMES.flatMap((name, index) => {
          const severity = one.reported[index];
          if (severity === undefined) return [];
          const where = { path: `${name}.js`, line: 1, code: `eval(${name})`, context: `// ${name}` };
          return [makeReportedFinding({ ...where, more: { severity } })];
        }),
      );
      await considerAll(scene);
    }
    const rows = await world.queryAsOwner<{ path: string; episode: number }>(
      `select finding.path, match.episode from automation_match as match
       join finding on finding.deployment_id = match.deployment_id and finding.id = match.finding_id
       where match.deployment_id = $1`,
      [place.id],
    );
    assert.deepEqual(
      rows.map(({ path, episode }) => `${path.replace('.js', '')} ${episode}`).sort(),
      expectedMatches(first, steps),
    );
  });
  await checkProperty(context, property, { full: 500, quick: 6, seed: 7 });
});
