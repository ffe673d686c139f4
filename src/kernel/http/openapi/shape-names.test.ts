import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { shapeNamesOf } from './shape-names.ts';

const Team = z.object({ id: z.string() });

test('a shape has the name under which its module exports it', () => {
  const modules = [{ Team, MAX_TEAMS: 5, teamOf: () => Team, part: z.string() }];
  assert.deepEqual([...shapeNamesOf(modules)], [[Team, 'Team']]);
});

test('a module may be listed twice, and a shape exported by two modules under one name', () => {
  assert.equal(shapeNamesOf([{ Team }, { Team }]).size, 1);
});

test('two different shapes of one name are refused', () => {
  const other = z.object({ id: z.string() });
  assert.throws(() => shapeNamesOf([{ Team }, { Team: other }]), /Two shapes are named Team\./);
});

test('two names of one shape are refused', () => {
  assert.throws(() => shapeNamesOf([{ Team }, { Group: Team }]), /The shape Team is also named Group\./);
});
