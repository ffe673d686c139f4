import { publish } from '#domain/rules/publish-rule.ts';
import { resolveConfig } from '#domain/rules/resolve-config.ts';
import type { PublishedRule } from '#domain/rules/store.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import { RawReply } from '#kernel/http/pipeline/raw-reply.ts';
import * as contract from './contract.ts';
import { contentTypeFor, serializeRules } from './rules.ts';

/** A cache: rulesets are few, public, and do not change while the program runs. */
const rulesetTexts = new Map<string, string>();

async function deliver({ tx, caller, request, answer }: Call, name: string): Promise<RawReply> {
  const type = contentTypeFor(request.accept);
  answer.headers['vary'] = 'accept, authorization';
  const headers = { 'content-type': `${type}; charset=utf-8` };
  const key = `${type} ${name}`;
  const cached = rulesetTexts.get(key);
  if (cached !== undefined) return new RawReply({ headers, body: cached });
  const isReader = caller.deployment !== '' && caller.permissions.has('scan:read');
  const rules = await resolveConfig(name, isReader ? { tx, deployment: caller.deployment } : undefined);
  if (!rules) throw NOT_FOUND();
  const body = serializeRules(rules, type);
  if (name === 'auto' || name.startsWith('p/')) rulesetTexts.set(key, body);
  return new RawReply({ headers, body });
}

const summaryOf = (rule: PublishedRule | undefined) =>
  rule && { path: rule.path, version: rule.version, visibility: rule.visibility, language: rule.language };

/** RegistryService: rules by name for the `--config` option of scanners, and rule publishing. */
export const registry = group('RegistryService', contract, {
  getRuleset: (call) => deliver(call, `p/${call.path.name}`),
  getRule: (call) => deliver(call, `r/${call.path.name}`),
  getSharedRule: (call) => deliver(call, `s/${call.path.name}`),
  getConfig: (call) => deliver(call, call.path.name),

  publishRule: async ({ tx, caller, body, answer, services }) => {
    const requested = body.deployment_id ?? caller.deployment;
    if (requested !== caller.deployment) throw NOT_FOUND();
    const { published, before } = await publish(tx, caller, {
      definition: body.definition,
      visibility: body.visibility ?? 'org_private',
      testTarget: body.test_target ?? undefined,
    });
    answer.recordEffect({ object: `rule/${published.id}`, before: summaryOf(before), after: summaryOf(published) });
    return { path: published.path, id: published.id, pr_url: `${services.baseUrl}/r/${published.path}` };
  },
});
