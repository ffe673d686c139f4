import { newKey } from '#web/parts/new-key.ts';
import type { Automation } from './sentence.ts';

export interface DraftCondition {
  /** Stays the same while the form is open, so that fields keep their focus. */
  key: string;
  type: string;
  mode: string;
  values: string[];
}

export interface DraftAction {
  key: string;
  type: string;
  config: Record<string, string>;
  id?: string;
}

export interface Draft {
  name: string;
  description: string;
  active: boolean;
  triggerSource: string;
  mode: string;
  conditions: DraftCondition[];
  actions: DraftAction[];
}

export const newCondition = (type = 'CONDITION_TYPE_SEVERITY', values: string[] = []): DraftCondition => ({
  key: newKey(),
  type,
  mode: 'MODE_ANY',
  values,
});

export const newAction = (type = 'ACTION_TYPE_PR_COMMENT', config: Record<string, string> = {}): DraftAction => ({
  key: newKey(),
  type,
  config,
});

/** What a new automation starts from: a comment on the pull request about what is critical. */
export const firstDraft = (): Draft => ({
  name: '',
  description: '',
  active: true,
  triggerSource: 'TRIGGER_SOURCE_SCAN',
  mode: 'MODE_ALL',
  conditions: [newCondition('CONDITION_TYPE_SEVERITY', ['critical'])],
  actions: [newAction()],
});

/** The one that is offered when there is none yet: a secret that works, on a primary branch, is told by mail. */
export const suggestedDraft = (email: string): Draft => ({
  ...firstDraft(),
  name: 'Valid secrets on primary branches',
  conditions: [
    newCondition('CONDITION_TYPE_PRODUCT', ['secrets']),
    newCondition('CONDITION_TYPE_VALIDATION_STATE', ['confirmed_valid']),
    newCondition('CONDITION_TYPE_PRIMARY_REF', ['true']),
  ],
  actions: [newAction('ACTION_TYPE_EMAIL', { recipients: email })],
});

type Stored = Automation & { name: string; description: string; active: boolean };

export const draftOf = ({ name, description, active, triggerSource, filters, actions }: Stored): Draft => ({
  name,
  description,
  active,
  triggerSource,
  mode: filters.mode,
  conditions: filters.conditions.map(({ type, mode, values }) => ({ key: newKey(), type, mode, values: [...values] })),
  actions: actions.map(({ type, config, id }) => ({
    key: newKey(),
    type,
    config: { ...config },
    ...(id === undefined ? {} : { id }),
  })),
});

/** The draft as a request has it. */
export function bodyOf({ name, description, active, triggerSource, mode, conditions, actions }: Draft) {
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

/** What the server says of one part of the form, by the start of its pointer. */
export const errorsAt = (
  errors: readonly { pointer: string; detail: string }[],
  pointer: string,
): string | undefined => {
  const own = errors.filter((error) => error.pointer === pointer || error.pointer.startsWith(`${pointer}/`));
  return own.length === 0 ? undefined : own.map(({ detail }) => detail).join('; ');
};
