import { z } from 'zod';
import { PackageEcosystem } from '#domain/dependencies/shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import * as plain from '#kernel/contract/plain-fields.ts';
import { asNumber, deployment, id, line, name, oneOf, readOnly } from '#kernel/contract/proto-fields.ts';
import { webUrl } from '#kernel/contract/web-url.ts';

export const MAX_PACKAGE_MANAGER_CONFIGS = 100;
const MAX_SECRET_LENGTH = 8192;

export const PACKAGE_MANAGER_QUOTA = fault(
  'PACKAGE_MANAGER_QUOTA',
  409,
  'A deployment can have at most {most} package managers.',
  'Delete those that are no longer used.',
);
export const PACKAGE_MANAGER_REFUSED = fault(
  'PACKAGE_MANAGER_REFUSED',
  400,
  'The package manager has {count}: {first}',
  'Correct each entry listed in `errors`; nothing was changed.',
);

export const RegistryType = oneOf(['REGISTRY_TYPE_PACKAGE_MANAGER_AUTH', 'REGISTRY_TYPE_MALWARE_FIREWALL']);
export const MavenRepositoryType = oneOf([
  'MAVEN_REPOSITORY_TYPE_RELEASE',
  'MAVEN_REPOSITORY_TYPE_SNAPSHOT',
  'MAVEN_REPOSITORY_TYPE_BOTH',
]);

/** At most the member of the ecosystem. */
export const AdditionalPackageConfig = z.object({
  maven: z.object({ repositoryType: MavenRepositoryType }).optional(),
  pypi: z.object({}).optional(),
  npm: z.object({ scope: line(214) }).optional(),
});

export const PackageManagerConfig = z.object({
  id: plain.id('PackageManagerConfig'),
  name: z.string(),
  url: z.string(),
  requiresAuth: z.boolean(),
  ecosystem: PackageEcosystem,
  deploymentId: plain.id('Deployment'),
  useNetworkBroker: z.boolean(),
  additionalConfig: AdditionalPackageConfig,
  registryType: RegistryType,
});
export type PackageManagerConfig = z.output<typeof PackageManagerConfig>;

/** The sealed credential is never shown; `keyVersion` tells that there is one. */
export const SealedPackageCredential = z.object({
  nonce: z.string(),
  ciphertext: z.string(),
  tag: z.string(),
  keyVersion: z.string(),
});

export const PackageManagerWithCredentials = z.object({
  config: PackageManagerConfig,
  credentials: SealedPackageCredential,
});
export type PackageManagerWithCredentials = z.output<typeof PackageManagerWithCredentials>;

const secret = () => z.string().min(1).max(MAX_SECRET_LENGTH);
export const BasicCredential = z.object({ username: line(1024, 1), password: secret() });

const configFields = {
  id: readOnly(plain.id('PackageManagerConfig')),
  deploymentId: readOnly(plain.id('Deployment')),
  requiresAuth: z.boolean().optional(),
  useNetworkBroker: z.boolean().optional(),
  additionalConfig: AdditionalPackageConfig.optional(),
  registryType: RegistryType.optional(),
};

const credentialFields = {
  maven: BasicCredential.optional(),
  pypi: BasicCredential.optional(),
  codeArtifact: z.object({ assumeRoleArn: line(2048) }).optional(),
  npm: z.object({ token: secret().optional(), basicAuth: BasicCredential.optional() }).optional(),
};

export const PackageManagerDraft = z.object({
  config: z.object({ ...configFields, name: name(), url: webUrl(), ecosystem: PackageEcosystem }),
  ...credentialFields,
});
export type PackageManagerDraft = z.output<typeof PackageManagerDraft>;

export const PackageManagerChange = z.object({
  config: z
    .object({
      ...configFields,
      name: name().optional(),
      url: webUrl().optional(),
      ecosystem: PackageEcosystem.optional(),
    })
    .default({}),
  ...credentialFields,
});
export type PackageManagerChange = z.output<typeof PackageManagerChange>;

const base = '/api/agent/deployments/{deploymentId}/packagemanagerauthconfigs';
const path = { deploymentId: asNumber(deployment()) };
const configPath = { ...path, packageManagerConfigId: plain.id('PackageManagerConfig') };
const deploymentMember = { deploymentId: asNumber(id('Deployment')).optional() };
const facts = { maturity: 'experimental' } as const;

export const getPackageManagerAuthConfigs = operation({
  ...facts,
  route: `GET ${base}`,
  summary: 'List package managers',
  description: 'Credentials are never shown: their members are empty but for `keyVersion`, if there is one.',
  allow: 'credential:read',
  path,
  reply: { packageManagerConfigsWithCredentials: z.array(PackageManagerWithCredentials) },
});

export const postPackageManagerAuthCredentials = operation({
  ...facts,
  route: `POST ${base}`,
  summary: 'Add a package manager',
  description:
    'A registry that managed scans may read from; this server does not start scans itself yet. Credentials are ' +
    'possible for npm, PyPI and Maven, for https addresses that this server may call.',
  allow: 'credential:manage',
  path,
  body: { ...deploymentMember, packageManagerConfigForInsert: PackageManagerDraft },
  reply: { packageManagerConfig: PackageManagerConfig },
  faults: [PACKAGE_MANAGER_QUOTA, PACKAGE_MANAGER_REFUSED],
});

export const updatePackageManagerAuthCredentials = operation({
  ...facts,
  route: `PATCH ${base}/{packageManagerConfigId}`,
  summary: 'Change a package manager',
  description:
    'Members that are left out stay as they are. A stored credential is kept only for the same address and ' +
    'ecosystem: otherwise send it again.',
  allow: 'credential:manage',
  path: configPath,
  body: {
    ...deploymentMember,
    packageManagerConfigId: plain.id('PackageManagerConfig').optional(),
    packageManagerConfigForInsert: PackageManagerChange,
  },
  reply: { packageManagerConfig: PackageManagerConfig },
  faults: [PACKAGE_MANAGER_REFUSED],
});

export const deletePackageManagerAuthConfigs = operation({
  ...facts,
  route: `DELETE ${base}/{packageManagerConfigId}`,
  summary: 'Delete a package manager',
  allow: 'credential:manage',
  path: configPath,
  reply: { packageManagerConfigId: plain.id('PackageManagerConfig') },
});

/** What the examples of the API description show. */
export const exampleIds = { PackageManagerConfig: '4' };
