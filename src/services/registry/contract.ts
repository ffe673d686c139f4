import { z } from 'zod';
import { RULE_QUOTA, RULE_REFUSED, RULE_VISIBILITIES } from '#domain/rules/shape.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { operation } from '#kernel/contract/operation.ts';
import { id } from '#kernel/contract/plain-fields.ts';

/** The rules that the `--config` option of scanners fetches, and the rules that `semgrep publish` sends. */

const DEFINITION_LIMIT_BYTES = 4 * 1024 ** 2;
const MAX_NAME_LENGTH = 256;

export const YAML_TYPE = 'application/yaml';
export const JSON_TYPE = 'application/json';
export const TEXT_TYPE = 'text/plain';

const configName = () => z.string().max(MAX_NAME_LENGTH);

const delivers = {
  maturity: 'beta',
  allow: 'public',
  credential: 'optional',
  isExtension: true,
  raw: { types: [YAML_TYPE, JSON_TYPE, TEXT_TYPE] },
  reply: {},
  faults: [NOT_FOUND],
} as const;

export const getRuleset = operation({
  ...delivers,
  route: 'GET /p/{name...}',
  summary: 'Get the rules of a ruleset',
  description: 'For `--config p/NAME`. JSON if `Accept` names it, else YAML.',
  path: { name: configName() },
});

export const getRule = operation({
  ...delivers,
  route: 'GET /r/{name...}',
  summary: 'Get one rule by its path',
  description: 'For `--config r/PATH`. Rules that a deployment has published need a credential of that deployment.',
  path: { name: configName() },
});

export const getSharedRule = operation({
  ...delivers,
  route: 'GET /s/{name...}',
  summary: 'Get one rule by its id',
  description: 'For `--config s/ID`. Rules that a deployment has published need a credential of that deployment.',
  path: { name: configName() },
});

export const getConfig = operation({
  ...delivers,
  route: 'GET /c/{name...}',
  summary: 'Get the rules of a config name',
  description: 'The name is `auto`, `p/NAME`, `r/PATH` or `s/ID`; the paths without `/c` return the same rules.',
  path: { name: configName() },
});

export const publishRule = operation({
  route: 'POST /api/registry/rules',
  summary: 'Publish a rule',
  description:
    'For `semgrep publish`: one rule, under its own id. An unchanged rule gets no new version. Only the own ' +
    'deployment sees the rule, whatever its visibility.',
  maturity: 'beta',
  allow: 'policy:manage',
  deployment: 'credential',
  credential: 'any-token',
  isExtension: true,
  path: {},
  bodyLimitBytes: DEFINITION_LIMIT_BYTES,
  body: {
    definition: z.record(z.string(), z.unknown()),
    visibility: z.enum(RULE_VISIBILITIES).nullish(),
    language: z.string().max(MAX_NAME_LENGTH).nullish(),
    deployment_id: id('Deployment').nullish(),
    test_target: z.string().nullish(),
    registry_check_id: z.string().max(MAX_NAME_LENGTH).nullish(),
  },
  reply: { path: z.string(), id: z.string(), pr_url: z.string() },
  faults: [RULE_REFUSED, RULE_QUOTA],
});
