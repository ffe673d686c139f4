import { isDeepStrictEqual } from 'node:util';
import * as deployments from '#domain/deployments/store.ts';
import { actorLabelOf } from '#domain/policies/ruleboard-items.ts';
import { jsonWithoutUserInformation } from '#domain/projects/clone-address-rules.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { fieldErrorsFault } from '#kernel/contract/field-errors.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { MAX_RULE_BYTES, parseDefinition } from './definition.ts';
import { RULE_QUOTA, RULE_REFUSED, Rule, type RuleVisibility } from './shape.ts';
import * as store from './store.ts';

export const MAX_PUBLISHED_RULES = 1000;
export const MAX_PUBLISHED_BYTES = 64 * MAX_RULE_BYTES;
const MAX_NOTE_LENGTH = 1000;

export interface RulePublishRequest {
  /** The object `{rules: [rule]}`. */
  definition: unknown;
  visibility: RuleVisibility;
  testTarget?: string | undefined;
}

export interface RulePublishResult {
  published: store.PublishedRule;
  before: store.PublishedRule | undefined;
}

/** Publishes a rule under its id, as a new rule or as its next version. An unchanged rule gets no new version. */
export async function publish(tx: Tx, caller: Caller, request: RulePublishRequest): Promise<RulePublishResult> {
  const draft = draftOf(request);
  const { deployment } = caller;
  await deployments.lock(tx, deployment);
  const before = await store.findByPath(tx, deployment, draft.rule.id);
  const isSame = before && isDeepStrictEqual(before.definition, draft.rule) && before.testTarget === draft.testTarget;
  if (isSame) await store.setVisibility(tx, deployment, before.id, draft.visibility);
  else {
    const { rules, sizeBytes } = await store.totals(tx, deployment);
    const isFull = (!before && rules >= MAX_PUBLISHED_RULES) || sizeBytes + draft.sizeBytes > MAX_PUBLISHED_BYTES;
    if (isFull) throw RULE_QUOTA({ rules: MAX_PUBLISHED_RULES, bytes: MAX_PUBLISHED_BYTES });
    await store.insertVersion(tx, deployment, { ...draft, by: actorLabelOf(caller) });
  }
  const published = await store.findByPath(tx, deployment, draft.rule.id);
  if (!published) throw new Error('The published rule was not written.');
  return { published, before };
}

function draftOf({ definition, visibility, testTarget = '' }: RulePublishRequest): store.RuleDraft {
  const { rule, errors = [] } = parseDefinition(definition);
  const all = errors.map((error) => ({ ...error, pointer: `#/definition${error.pointer.slice(1)}` }));
  if (Buffer.byteLength(testTarget) > MAX_RULE_BYTES || testTarget.includes('\0') || !testTarget.isWellFormed())
    all.push({ pointer: '#/test_target', code: 'TEXT', detail: `expected a text of at most ${MAX_RULE_BYTES} bytes` });
  if (!rule || all.length > 0) throw fieldErrorsFault(RULE_REFUSED, all);
  const note = rule.metadata?.['rule-origin-note'];
  // Only the metadata: a pattern may be about passwords in URLs.
  const text = JSON.stringify({
    ...rule,
    ...(rule.metadata && { metadata: jsonWithoutUserInformation(rule.metadata) }),
  });
  return {
    // As the database returns it, so that an unchanged rule compares as equal.
    rule: Rule.parse(JSON.parse(text)),
    visibility,
    language: rule.languages[0] ?? '',
    testTarget,
    originNote: typeof note === 'string' ? note.slice(0, MAX_NOTE_LENGTH).toWellFormed() : '',
    sizeBytes: Buffer.byteLength(text) + Buffer.byteLength(testTarget),
  };
}
