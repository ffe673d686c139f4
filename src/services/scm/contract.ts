import { z } from 'zod';
import { SortDirection } from '#domain/findings/shape.ts';
import { ScmType } from '#domain/projects/shape.ts';
import { ScmProvider, TokenScopes } from '#domain/scm/hosts/host-shape.ts';
import { AutoScanSettings, ScmConfig, ScmStatus } from '#domain/scm/scm-shape.ts';
import { TOO_MANY_TASKS } from '#domain/tasks/shape.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { cursor, deployment, id, limit, oneOf } from '#kernel/contract/proto-fields.ts';
import { webUrl } from '#kernel/contract/web-url.ts';

export const MAX_SCM_CONFIGS = 100;

export const SCM_CONFIG_EXISTS = fault(
  'SCM_CONFIG_EXISTS',
  409,
  '{namespace} of this host is connected already.',
  'Change the existing configuration; the list of configurations shows its id.',
);
export const SCM_QUOTA = fault(
  'SCM_QUOTA',
  409,
  'A deployment can have at most {most} connections to code hosts.',
  'Delete those that are not used any more, or connect a group that contains the others.',
);
export const SCM_TYPE_UNSUPPORTED = fault(
  'SCM_TYPE_UNSUPPORTED',
  400,
  'Code hosts of the type {type} cannot be connected.',
  'Connect GitHub, GitLab, or Gitea and Forgejo (`provider` "gitea"); projects of other hosts come from scans.',
);
export const SCM_CONFIG_REFUSED = fault(
  'SCM_CONFIG_REFUSED',
  400,
  'The connection cannot be saved: {reason}',
  'Correct the members that the sentence names.',
);

const base = '/api/scm/deployments/{deploymentId}/configs';
const path = { deploymentId: deployment() };
const configPath = { ...path, configId: id('ScmConfig') };
const facts = { maturity: 'experimental' } as const;
const reading = { ...facts, allow: 'credential:read' } as const;
const managing = { ...facts, allow: 'credential:manage' } as const;
/** Its duration would tell about hosts in the network of the server. */
const calling = { transaction: 'manual', limitPolicy: 'check' } as const;

const SORTS = [
  'SCM_CONFIG_SORT_BY_NAME',
  'SCM_CONFIG_SORT_BY_ID',
  'SCM_CONFIG_SORT_BY_LAST_SUCCESSFUL_SYNC_AT',
] as const;
export const ScmConfigSort = oneOf(SORTS);

/** A namespace as hosts write it in addresses: one or more names, separated by slashes. */
const namespaceField = () =>
  z
    .string()
    .max(255)
    .regex(/^[\p{L}\p{N}_.~ -]+(\/[\p{L}\p{N}_.~ -]+)*$/u, {
      error: 'expected the path of an organization, group or user, such as acme',
    })
    .refine((text) => text.split('/').every((name) => /[^. ]/.test(name) && name.trim() === name), {
      error: 'must have names between its slashes',
    });
const tokenField = () => z.string().regex(/^[!-~]{1,2048}$/, { error: 'expected a token' });

export const listScmConfig = operation({
  ...reading,
  route: `GET ${base}`,
  summary: 'List connections to code hosts',
  description: 'Tokens are never shown. `status` is what the host last said about the credential.',
  path,
  query: {
    limit: limit(),
    cursor: cursor(),
    sortDirection: oneOf(['SORT_DIRECTION_UNSPECIFIED', ...SortDirection.options]).optional(),
    sortBy: oneOf(['SCM_CONFIG_SORT_BY_UNSPECIFIED', ...SORTS]).optional(),
  },
  reply: { configs: z.array(ScmConfig), cursor: cursor() },
});

export const createScmConfig = operation({
  ...managing,
  ...calling,
  route: `POST ${base}`,
  summary: 'Connect a code host',
  description:
    'Asks the host about the token and saves the connection with what it says: look at `status` and `tokenScopes`. ' +
    'Gitea and Forgejo have the type SCM_TYPE_UNKNOWN. `scmConfigId` names a connection to the same host whose token ' +
    'is used. With `autoScan`, managed scans are switched on for repositories that are found later.',
  path,
  body: {
    deploymentId: id('Deployment').optional(),
    type: ScmType,
    provider: ScmProvider.optional(),
    namespace: namespaceField(),
    sourceId: z.string().max(255).optional(),
    baseUrl: webUrl().optional(),
    accessToken: tokenField().optional(),
    scmConfigId: id('ScmConfig').optional(),
    subscribe: z.boolean().optional(),
    autoScan: z.boolean().optional(),
    autoScanSettings: AutoScanSettings.optional(),
  },
  status: 201,
  reply: { config: ScmConfig },
  faults: [SCM_CONFIG_EXISTS, SCM_QUOTA, SCM_TYPE_UNSUPPORTED, SCM_CONFIG_REFUSED],
});

export const searchScmConfig = operation({
  ...reading,
  route: `POST ${base}/search`,
  summary: 'Search connections to code hosts',
  description: '`filter.namespace` is a part of the name, ignoring case.',
  isStrict: true,
  path,
  body: {
    deploymentId: id('Deployment').optional(),
    cursor: cursor(),
    limit: limit(),
    filter: z
      .object({
        namespace: z.string().max(255).optional(),
        type: ScmType.optional(),
        statusOk: z.boolean().optional(),
      })
      .optional(),
    sortDirection: SortDirection.optional(),
    sortBy: ScmConfigSort.optional(),
  },
  reply: { configs: z.array(ScmConfig), cursor: cursor() },
});

export const deleteScmConfig = operation({
  ...managing,
  ...calling,
  route: `DELETE ${base}/{configId}`,
  summary: 'Disconnect a code host',
  description:
    'Deletes the token, the webhook and what is known of the repositories. Projects, scans and findings stay. If the ' +
    'host cannot be reached, its webhook stays there and is refused here.',
  path: configPath,
  status: 204,
  reply: {},
  faults: [NOT_FOUND],
});

export const patchScmConfig = operation({
  ...managing,
  ...calling,
  route: `PATCH ${base}/{configId}`,
  summary: 'Change the connection to a code host',
  description:
    'Absent members stay as they are. Another `namespace` needs a new `accessToken`: a token is used only for what ' +
    'it was given for. `useNetworkBroker` cannot be switched on: this server calls hosts directly.',
  path: configPath,
  body: {
    deploymentId: id('Deployment').optional(),
    configId: id('ScmConfig').optional(),
    accessToken: tokenField().optional(),
    autoScan: z.boolean().optional(),
    useNetworkBroker: z.boolean().optional(),
    namespace: namespaceField().optional(),
    subscribe: z.boolean().optional(),
    autoScanSettings: AutoScanSettings.optional(),
  },
  reply: { config: ScmConfig },
  faults: [NOT_FOUND, SCM_CONFIG_EXISTS, SCM_CONFIG_REFUSED],
});

export const syncScmConfig = operation({
  ...managing,
  route: `POST ${base}/{configId}/_sync`,
  summary: 'Read the repositories of a code host again',
  description:
    'Starts a task; its result counts what was found, added, renamed and disconnected. Once a day this happens anyway.',
  path: configPath,
  body: {
    deploymentId: id('Deployment').optional(),
    configId: id('ScmConfig').optional(),
    debug: z.boolean().optional(),
  },
  reply: { taskTokenJwt: z.string() },
  faults: [TOO_MANY_TASKS],
});

export const checkScmConfig = operation({
  ...reading,
  ...calling,
  route: `GET ${base}/{configId}/check`,
  summary: 'Check the connection to a code host',
  description:
    'Asks the host at most once a minute; otherwise answers what it said last. `status.error` is the exact reason. A ' +
    'scope that the host does not tell is false.',
  path: configPath,
  reply: { status: ScmStatus, tokenScopes: TokenScopes },
  faults: [NOT_FOUND],
});
