import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { parseDefinition } from '#domain/rules/definition.ts';
import { ruleProductOf } from '#domain/rules/rules.ts';
import { RULESET_NAMES, rulesetsOf } from '#domain/rules/rulesets.ts';
import { rulesOfRuleset, shippedRules } from '#domain/rules/shipped-rules.ts';
import {
  annotationsOf,
  digestOfPack,
  disagreementsOf,
  RECORDING,
  Recording,
  targetsOf,
} from '#test/support/reports/rule-pack.ts';
import { ruleFiles } from '../tools/rule-pack.ts';

/** The shipped rules: complete, unique, and verified against the results of the engine on their targets. */

const PARTS = [
  'python',
  'javascript',
  'go',
  'java',
  'ruby',
  'php',
  'csharp',
  'kotlin',
  'terraform',
  'docker',
  'kubernetes',
  'github-actions',
  'secrets',
];

const Grade = z.enum(['HIGH', 'MEDIUM', 'LOW']);
const Texts = z.array(z.string().min(1)).min(1);
const Whole = z.looseObject({
  id: z.string().regex(/^parapet\.[a-z-]+\.[a-z0-9-]+$/),
  message: z.string().min(40).max(600),
  severity: z.enum(['ERROR', 'WARNING', 'INFO']),
  languages: Texts,
  metadata: z.looseObject({
    category: z.literal('security'),
    cwe: z.array(z.string().regex(/^CWE-\d+: .+$/)).min(1),
    owasp: z.array(z.string().regex(/^A\d\d:(2021|2025) - .+$/)).min(1),
    confidence: Grade,
    likelihood: Grade,
    impact: Grade,
    technology: Texts,
    references: z.array(z.url({ protocol: /^https$/ })).min(1),
    vulnerability_class: Texts,
    license: z.literal('Apache-2.0'),
  }),
});

const filed = ruleFiles().map((file) => {
  const document = parseDocument(readFileSync(file, 'utf8'), { uniqueKeys: true });
  assert.deepEqual(document.errors, [], file);
  return { file, rules: z.object({ rules: z.array(Whole).min(1) }).parse(document.toJS({ maxAliasCount: 0 })).rules };
});
const all = filed.flatMap(({ rules }) => rules);
const ids = all.map(({ id }) => id);
const recording = Recording.parse(JSON.parse(readFileSync(RECORDING, 'utf8')));

describe('the rule pack', () => {
  test('has rules for every part, and one for dependencies', () => {
    const count = (part: string) => ids.filter((id) => id.startsWith(`parapet.${part}.`)).length;
    for (const part of PARTS) assert.ok(count(part) >= 8, `${part}: ${count(part)}`);
    assert.ok(all.length >= 300, `${all.length} rules`);
    assert.equal(all.filter((rule) => ruleProductOf(rule) === 'sca').length, 1);
  });

  test('has unique ids and is what the program loads', () => {
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual(
      [...shippedRules().values()].map(({ rule }) => rule),
      all,
      'rules/pack.json is not current: run npm run derive',
    );
  });

  test('has each rule in a ruleset that is not just the whole pack', () => {
    for (const rule of all.filter((one) => ruleProductOf(one) !== 'sca'))
      assert.ok(rulesetsOf(rule).length >= 3, rule.id);
    assert.deepEqual(
      RULESET_NAMES.filter((name) => (rulesOfRuleset(name) ?? []).length === 0),
      [],
    );
  });

  test('has only rules that could be published, except for the reserved ids', () => {
    for (const rule of all)
      assert.equal(parseDefinition({ rules: [{ ...rule, id: rule.id.replace('parapet', 'own') }] }).errors, undefined);
  });

  test('is frozen when loaded, so no request can change it', () => {
    const [first] = shippedRules().values();
    assert.ok(first && Object.isFrozen(first) && Object.isFrozen(first.rule.metadata?.['cwe']));
  });

  test('has two matches and two near misses for each rule', () => {
    for (const { file, rules } of filed) {
      const targets = targetsOf(file).map(annotationsOf);
      for (const rule of rules) {
        if (ruleProductOf(rule) === 'sca') continue;
        const lines = targets.flatMap((target) => target.get(rule.id) ?? []);
        const matching = lines.flatMap((one) => one.matching);
        const clean = lines.flatMap((one) => one.clean);
        assert.ok(matching.length >= 2 && clean.length >= 2, `${rule.id}: ${matching.length} and ${clean.length}`);
      }
    }
  });

  test('has no annotations for rules of another file', () => {
    for (const { file, rules } of filed)
      for (const target of targetsOf(file))
        for (const id of annotationsOf(target).keys())
          assert.ok(
            rules.some((rule) => rule.id === id),
            `${target} has an annotation for ${id}`,
          );
  });
});

describe('the recorded result of the engine', () => {
  test('matches the present rules and targets; otherwise record it again, see rules/README.md', () => {
    assert.equal(recording.digest, digestOfPack());
  });

  test('has every rule parsed, every annotated match, and no other match', () => {
    assert.deepEqual(recording.errors, []);
    assert.deepEqual(disagreementsOf(recording.results), []);
  });

  test('has a match for each rule except the one that matches nothing', () => {
    const found = new Set(recording.results.map(({ check_id }) => check_id));
    assert.deepEqual(
      ids.filter((id) => !found.has(id)),
      ['parapet.supply-chain.dependency-list'],
    );
  });

  test('names no file outside the pack', () => {
    for (const { path } of recording.results) assert.match(path, /^rules\/[\w-]+\/[\w.-]+$/);
  });
});
