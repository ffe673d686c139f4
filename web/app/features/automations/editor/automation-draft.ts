import { uniqueKey } from '#web/foundation/react/unique-key.ts';
import type { AutomationDefinition } from '#web/ui/automations/describe-automation.ts';

export interface ConditionDraft {
  /** Stable while the form is open, so that fields keep the focus. */
  key: string;
  type: string;
  mode: string;
  values: string[];
}

export interface ActionDraft {
  key: string;
  type: string;
  config: Record<string, string>;
  id?: string;
}

export interface AutomationDraft {
  name: string;
  description: string;
  active: boolean;
  triggerSource: string;
  mode: string;
  conditions: ConditionDraft[];
  actions: ActionDraft[];
}

export const newCondition = (type = 'CONDITION_TYPE_SEVERITY', values: string[] = []): ConditionDraft => ({
  key: uniqueKey(),
  type,
  mode: 'MODE_ANY',
  values,
});

export const newAction = (type: string, config: Record<string, string> = {}): ActionDraft => ({
  key: uniqueKey(),
  type,
  config,
});

/** The default for a new automation: somebody has to look at critical findings. */
export const defaultDraft = (): AutomationDraft => ({
  name: '',
  description: '',
  active: true,
  triggerSource: 'TRIGGER_SOURCE_SCAN',
  mode: 'MODE_ALL',
  conditions: [newCondition('CONDITION_TYPE_SEVERITY', ['critical'])],
  actions: [newAction('ACTION_TYPE_TRIAGE', { state: 'reviewing' })],
});

/** The suggested first automation: send an e-mail about valid secrets on primary branches. */
export const suggestedDraft = (email: string): AutomationDraft => ({
  ...defaultDraft(),
  name: 'Valid secrets on primary branches',
  conditions: [
    newCondition('CONDITION_TYPE_PRODUCT', ['secrets']),
    newCondition('CONDITION_TYPE_VALIDATION_STATE', ['confirmed_valid']),
    newCondition('CONDITION_TYPE_PRIMARY_REF', ['true']),
  ],
  actions: [newAction('ACTION_TYPE_EMAIL', { recipients: email })],
});

type Stored = AutomationDefinition & { name: string; description: string; active: boolean };

export const draftFromAutomation = ({
  name,
  description,
  active,
  triggerSource,
  filters,
  actions,
}: Stored): AutomationDraft => ({
  name,
  description,
  active,
  triggerSource,
  mode: filters.mode,
  conditions: filters.conditions.map(({ type, mode, values }) => ({
    key: uniqueKey(),
    type,
    mode,
    values: [...values],
  })),
  actions: actions.map(({ type, config, id }) => ({
    key: uniqueKey(),
    type,
    config: { ...config },
    ...(id === undefined ? {} : { id }),
  })),
});

/** The request body of a draft. */
export function automationBody({
  name,
  description,
  active,
  triggerSource,
  mode,
  conditions,
  actions,
}: AutomationDraft) {
  return {
    automation: {
      name,
      description,
      active,
      triggerSource,
      filters: { mode, conditions: conditions.map(({ type, mode: how, values }) => ({ type, mode: how, values })) },
      actions: actions.map(({ type, config, id }) => ({
        type,
        config: Object.fromEntries(Object.entries(config).filter(([, value]) => value.trim() !== '')),
        ...(id === undefined ? {} : { id }),
      })),
    },
  };
}

/** Whether the conditions are complete enough to be tried. */
export const isTriable = ({ conditions }: AutomationDraft): boolean =>
  conditions.length > 0 && conditions.every(({ values }) => values.length > 0);

/** The server errors for one part of the form, by pointer prefix. */
export const fieldErrorAt = (
  errors: readonly { pointer: string; detail: string }[],
  pointer: string,
): string | undefined => {
  const matching = errors.filter((error) => error.pointer === pointer || error.pointer.startsWith(`${pointer}/`));
  return matching.length === 0 ? undefined : matching.map(({ detail }) => detail).join('; ');
};
