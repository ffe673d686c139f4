import { isDeepStrictEqual } from 'node:util';
import type { FieldError } from '#kernel/contract/fault.ts';
import type { AutomationAction, AutomationActionType, AutomationTriggerSource } from './shape.ts';

/** An action as a request gives it. An action that is already stored has its id. */
export type ActionDraft = Omit<AutomationAction, 'id'> & { id?: string | undefined };

const WEBHOOK = [['webhook_id', 'webhook_slug', 'webhook_name']];

/** The required keys of each action's config: at least one key of each list. */
const REQUIRED_KEYS: Record<AutomationActionType, readonly (readonly string[])[]> = {
  ACTION_TYPE_BLOCK: [],
  ACTION_TYPE_PR_COMMENT: [],
  ACTION_TYPE_JIRA: [['project_id'], ['credential_slug']],
  ACTION_TYPE_SLACK_APP: [['channel_id', 'channel_name']],
  ACTION_TYPE_EMAIL: [['recipients']],
  ACTION_TYPE_WEBHOOK: WEBHOOK,
  ACTION_TYPE_SLACK_WEBHOOK: WEBHOOK,
  ACTION_TYPE_S3: [['bucket'], ['credential_slug']],
  ACTION_TYPE_UNKNOWN: [],
  ACTION_TYPE_PARTNER: [['credential_slug', 'credential_id']],
  ACTION_TYPE_TRIAGE: [['state']],
  ACTION_TYPE_DEVELOPER_EXCEPTION_REQUESTS: [],
  ACTION_TYPE_OPEN_AUTOFIX_PR: [],
  ACTION_TYPE_TRIGGER_WORKFLOW: [['workflow_id']],
};

/** The actions that only work beside another one of the same automation. */
export const COMPANIONS: Partial<Record<AutomationActionType, AutomationActionType>> = {
  ACTION_TYPE_BLOCK: 'ACTION_TYPE_PR_COMMENT',
};

const TRIAGE_STATES = [
  ...['ignored', 'open', 'reopened', 'reviewing', 'fixing', 'provisionally_ignored', 'fixed'],
] as const;
const TRIAGE_REASONS = ['false_positive', 'acceptable_risk', 'no_time'] as const;

/** Everybody who may read an automation reads its config, so secrets are refused. */
const SECRET_KEY = /url|uri|secret|token|password|api_?key/i;
const ADDRESS = /^[^\s@,]{1,64}@[^\s@,]{1,255}$/;

const withoutPrefix = (text: string, prefix: string) => {
  const lower = text.trim().toLowerCase();
  return lower.startsWith(prefix) ? lower.slice(prefix.length) : lower;
};

/** The action with the state and reason of its config in canonical spelling. */
export function normalizeAction<Given extends ActionDraft>(action: Given): Given {
  if (action.type !== 'ACTION_TYPE_TRIAGE') return action;
  const { state, reason, ...rest } = action.config;
  return {
    ...action,
    config: {
      ...rest,
      ...(state === undefined ? {} : { state: withoutPrefix(state, 'triage_state_') }),
      ...(reason === undefined ? {} : { reason: withoutPrefix(reason, 'triage_reason_') }),
    },
  };
}

const includes = (words: readonly string[], word: string) => words.includes(word);

function validateTriage({ state = '', reason }: Record<string, string>, pointer: string): FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (name: string, words: readonly string[]) =>
    errors.push({
      pointer: `${pointer}/${name}`,
      code: 'UNKNOWN_VALUE',
      detail: `expected one of ${words.join(', ')}`,
    });
  if (state !== '' && !includes(TRIAGE_STATES, state)) refuse('state', TRIAGE_STATES);
  if (reason !== undefined && !includes(TRIAGE_REASONS, reason)) refuse('reason', TRIAGE_REASONS);
  else if (reason !== undefined && state !== 'ignored')
    errors.push({
      pointer: `${pointer}/reason`,
      code: 'CONTRADICTION',
      detail: 'is allowed only with the state ignored',
    });
  return errors;
}

function validateConfig({ type, config }: ActionDraft, pointer: string): FieldError[] {
  const missing = REQUIRED_KEYS[type]
    .filter((keys) => !keys.some((key) => (config[key] ?? '').trim() !== ''))
    .map((keys) => ({ pointer: `${pointer}/${keys[0]}`, code: 'REQUIRED', detail: `needs ${keys.join(' or ')}` }));
  const secrets = Object.keys(config)
    .filter((key) => SECRET_KEY.test(key))
    .map((key) => ({
      pointer: `${pointer}/${key}`,
      code: 'SECRET_REFUSED',
      detail: 'would be visible to every reader: register the integration and name it here',
    }));
  const { recipients = '' } = type === 'ACTION_TYPE_EMAIL' ? config : {};
  const isListOfAddresses = recipients.split(',').every((part) => ADDRESS.test(part.trim()));
  return [
    ...missing,
    ...secrets,
    ...(recipients.trim() === '' || isListOfAddresses
      ? []
      : [
          {
            pointer: `${pointer}/recipients`,
            code: 'UNKNOWN_VALUE',
            detail: 'expected e-mail addresses, separated by commas',
          },
        ]),
    ...(type === 'ACTION_TYPE_TRIAGE' ? validateTriage(config, pointer) : []),
  ];
}

const isSame = (left: ActionDraft, right: ActionDraft) =>
  left.type === right.type && isDeepStrictEqual({ ...left.config }, { ...right.config });

/** The triggers that something on this server starts. */
const STARTED: readonly AutomationTriggerSource[] = [
  'TRIGGER_SOURCE_SCAN',
  'TRIGGER_SOURCE_ISSUE_TRIAGED',
  'TRIGGER_SOURCE_MANUAL',
];

/** An automation whose trigger nothing starts would never run, and nobody would notice. */
export const validateTrigger = (trigger: AutomationTriggerSource, pointer: string): FieldError[] =>
  STARTED.includes(trigger)
    ? []
    : [{ pointer, code: 'UNSUPPORTED_TRIGGER', detail: `nothing here starts it; use ${STARTED.join(', ')}` }];

/** The errors of normalized actions that would keep them from running. */
export function validateActions(
  actions: readonly ActionDraft[],
  { trigger, pointer }: { trigger: AutomationTriggerSource; pointer: string },
): FieldError[] {
  const types = new Set(actions.map(({ type }) => type));
  return actions.flatMap((action, index): FieldError[] => {
    const at = `${pointer}/${index}`;
    const refuse = (code: string, detail: string): FieldError[] => [{ pointer: `${at}/type`, code, detail }];
    if (action.type === 'ACTION_TYPE_UNKNOWN')
      return refuse('UNSUPPORTED_ACTION_TYPE', 'is not an action that can run');
    const isBlock = action.type === 'ACTION_TYPE_BLOCK';
    const companion = COMPANIONS[action.type];
    return [
      ...(companion !== undefined && !types.has(companion)
        ? refuse('MISSING_DEPENDENT_ACTION', `requires an action of type ${companion}`)
        : []),
      ...(isBlock && trigger !== 'TRIGGER_SOURCE_SCAN'
        ? refuse('NEVER_TRUE', 'can block only if the trigger is TRIGGER_SOURCE_SCAN')
        : []),
      ...(actions.slice(0, index).some((other) => isSame(other, action))
        ? [{ pointer: at, code: 'REPEATED', detail: 'repeats an earlier action' }]
        : []),
      ...validateConfig(action, `${at}/config`),
    ];
  });
}

/** The errors of the action ids in an update: each id must belong to a stored action, and be used once. */
export const validateActionIds = (
  actions: readonly ActionDraft[],
  before: readonly AutomationAction[],
  pointer: string,
): FieldError[] =>
  actions.flatMap(({ id }, index): FieldError[] => {
    if (id === undefined) return [];
    const at = `${pointer}/${index}/id`;
    if (!before.some((action) => action.id === id))
      return [{ pointer: at, code: 'UNKNOWN_REFERENCE', detail: 'is not an action of this automation' }];
    const isRepeated = actions.slice(0, index).some((other) => other.id === id);
    return isRepeated ? [{ pointer: at, code: 'REPEATED', detail: 'is used twice' }] : [];
  });

/**
 * Assigns an id to each action, in order: the id it already has, else the id of an equal stored action, else a new
 * one. Ids are never reused.
 */
export function assignActionIds(
  actions: readonly ActionDraft[],
  { before, lastId }: { before: readonly AutomationAction[]; lastId: number },
): { actions: AutomationAction[]; lastId: number } {
  const taken = new Set(actions.flatMap(({ id }) => id ?? []));
  let last = lastId;
  const identified = actions.map(({ type, config, id }): AutomationAction => {
    const kept = id ?? before.find((old) => !taken.has(old.id) && isSame(old, { type, config }))?.id;
    if (kept === undefined) last += 1;
    taken.add(kept ?? '');
    return { type, config, id: kept ?? String(last) };
  });
  return { actions: identified, lastId: last };
}
