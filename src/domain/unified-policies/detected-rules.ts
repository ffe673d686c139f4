import type { DetectionPolicy, StoredException } from './detection-store.ts';

/** A project beats a tag; then a rule beats a pack; of equal ones, an exclusion beats an inclusion. */
const rankOf = ({ projectId, kind, effect }: StoredException): number =>
  (projectId === undefined ? 0 : 4) + (kind === 'rule' ? 2 : 0) + (effect === 'exclude' ? 1 : 0);

/**
 * The ids of the rules that a detection policy runs: its rulesets and rules without the disabled ones, and then its
 * exceptions, which must concern the project. An inclusion also overrides `disabled`. The rules need not exist.
 */
export function detectedRules(
  { rulesets, rules, disabled, exceptions }: DetectionPolicy,
  rulesOfPack: (path: string) => readonly string[],
): Set<string> {
  const running = new Set([...rulesets.flatMap(rulesOfPack), ...rules]);
  for (const rule of disabled) running.delete(rule);
  for (const exception of [...exceptions].sort((left, right) => rankOf(left) - rankOf(right)))
    for (const rule of exception.kind === 'pack' ? rulesOfPack(exception.path) : [exception.path])
      if (exception.effect === 'include') running.add(rule);
      else running.delete(rule);
  return running;
}
