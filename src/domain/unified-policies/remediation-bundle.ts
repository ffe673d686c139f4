import type { AutomationAction } from '#domain/automations/shape.ts';
import type { StoredAutomation } from '#domain/automations/store.ts';
import type { PolicyNames } from './policy-names.ts';
import { actionWordOf, conditionModeWordOf, conditionWordOf, filterModeWordOf } from './remediation-words.ts';
import type { RemediationPolicy } from './shape.ts';
import { byText, sortedUnique, stateVersionOf } from './state-version.ts';

/** What of an automation a policy shows. */
export type PolicySource = Pick<StoredAutomation, 'slug' | 'name' | 'description' | 'active' | 'filters'> & {
  actions: readonly Pick<AutomationAction, 'type' | 'config'>[];
};

/** True if a bundle has words for all of the automation; the others are managed elsewhere. */
export const isExpressible = ({ filters, actions }: Pick<PolicySource, 'filters' | 'actions'>): boolean =>
  filterModeWordOf(filters.mode) !== undefined &&
  filters.conditions.length > 0 &&
  filters.conditions.every(
    ({ type, mode }) => conditionWordOf(type) !== undefined && conditionModeWordOf(mode) !== undefined,
  ) &&
  actions.length > 0 &&
  actions.every(({ type }) => actionWordOf(type) !== undefined);

/** A webhook is named by its name, which bundles of several deployments can share. */
const configOf = (
  { type, config }: Pick<AutomationAction, 'type' | 'config'>,
  { webhookNames }: PolicyNames,
): Record<string, string> => {
  const { webhook_id: id, ...rest } = config;
  const name = type === 'ACTION_TYPE_WEBHOOK' && id !== undefined ? webhookNames.get(id) : undefined;
  return name === undefined ? config : { ...rest, webhook_name: name };
};

/** The automation in the words of a bundle. */
export const policyOf = (automation: PolicySource, names: PolicyNames): RemediationPolicy => ({
  slug: automation.slug,
  name: automation.name,
  description: automation.description,
  active: automation.active,
  filters: {
    mode: filterModeWordOf(automation.filters.mode) ?? '',
    conditions: automation.filters.conditions.map(({ type, values, mode }) => ({
      type: conditionWordOf(type) ?? '',
      values: sortedUnique(values.map((value) => names.nameOf.get(type)?.get(value) ?? value)),
      mode: conditionModeWordOf(mode) ?? '',
    })),
  },
  actions: automation.actions.map((action) => ({
    type: actionWordOf(action.type) ?? '',
    config: configOf(action, names),
  })),
});

export const policiesOf = (automations: readonly PolicySource[], names: PolicyNames): RemediationPolicy[] =>
  automations.map((automation) => policyOf(automation, names)).sort((left, right) => byText(left.slug, right.slug));

export const remediationVersionOf = (policies: readonly RemediationPolicy[]): string => stateVersionOf({ policies });
