import { isDeepStrictEqual } from 'node:util';
import { exceptionKeyOf } from './detection-bundle.ts';
import type { DetectionBundle, DetectionChange, DetectionException } from './shape.ts';

export interface BundleDiff<Change> {
  creates: Change[];
  updates: Change[];
  deletes: Change[];
}

export const emptyDiff = <Change>(): BundleDiff<Change> => ({ creates: [], updates: [], deletes: [] });

const listsOf = ({ rulesets, rules, disabled }: DetectionContent) => ({ rulesets, rules, disabled });

type DetectionContent = Omit<DetectionBundle, 'deployment_slug'>;

const changeOf = ({ project, project_tag_name: tag, rule, rule_type }: DetectionException) => ({
  kind: 'DetectionPolicyException',
  key: {
    scope_type: project === undefined ? 'project_tag' : 'project',
    scope_target: project ?? tag ?? '',
    rule,
    rule_type,
  },
});

const stateOf = ({ exception_type }: DetectionException) => ({ exception_type });

/** What applying `after` would change. */
export function diffDetection(before: DetectionContent, after: DetectionContent): BundleDiff<DetectionChange> {
  const diff = emptyDiff<DetectionChange>();
  if (!isDeepStrictEqual(listsOf(before), listsOf(after)))
    diff.updates.push({
      kind: 'DetectionPolicy',
      key: { product: after.product },
      before: listsOf(before),
      after: listsOf(after),
    });
  const old = new Map(before.exceptions.map((exception) => [exceptionKeyOf(exception), exception]));
  for (const exception of after.exceptions) {
    const earlier = old.get(exceptionKeyOf(exception));
    old.delete(exceptionKeyOf(exception));
    if (!earlier) diff.creates.push({ ...changeOf(exception), after: stateOf(exception) });
    else if (earlier.exception_type !== exception.exception_type)
      diff.updates.push({ ...changeOf(exception), before: stateOf(earlier), after: stateOf(exception) });
  }
  for (const exception of old.values()) diff.deletes.push({ ...changeOf(exception), before: stateOf(exception) });
  return diff;
}
