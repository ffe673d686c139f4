import type { FieldError } from '#kernel/contract/fault.ts';
import type { PackageManagerChange, PackageManagerConfig } from './contract.ts';

/** The ecosystems whose registries this server can authenticate at. */
const WITH_CREDENTIALS = ['maven', 'pypi', 'npm'] as const;
type CredentialKind = (typeof WITH_CREDENTIALS)[number];

/** The settings of a package manager, without its ids and its credential. */
export type PackageManagerSettings = Omit<PackageManagerConfig, 'id' | 'deploymentId'>;

export const EMPTY_SETTINGS: PackageManagerSettings = {
  name: '',
  url: '',
  requiresAuth: false,
  ecosystem: 'no_package_manager',
  useNetworkBroker: false,
  additionalConfig: {},
  registryType: 'REGISTRY_TYPE_PACKAGE_MANAGER_AUTH',
};

export interface PackageManagerPlan {
  settings: PackageManagerSettings;
  /** The new credential as JSON text; undefined to keep the stored one. */
  credential: string | undefined;
  errors: FieldError[];
}

export interface StoredPackageManager {
  settings: PackageManagerSettings;
  hasCredential: boolean;
}

const isDefined = <Value>(entry: [string, Value]): boolean => entry[1] !== undefined;

/** Plans a change, or an insertion if nothing is stored. `canCall` tells which addresses this server may call. */
export function planPackageManager(
  { config, ...credentials }: PackageManagerChange,
  stored: StoredPackageManager = { settings: EMPTY_SETTINGS, hasCredential: false },
  canCall: (url: string) => boolean = () => true,
): PackageManagerPlan {
  const { id: _, deploymentId: __, ...changed } = config;
  const settings: PackageManagerSettings = {
    ...stored.settings,
    ...Object.fromEntries(Object.entries(changed).filter(isDefined)),
  };
  settings.name = settings.name.trim();
  const { ecosystem } = settings;
  const errors: FieldError[] = [];
  const refuse = (member: string, code: string, detail: string) =>
    errors.push({ pointer: `#/packageManagerConfigForInsert/${member}`, code, detail });

  const given = WITH_CREDENTIALS.filter((kind) => credentials[kind] !== undefined);
  if (credentials.codeArtifact)
    refuse('codeArtifact', 'UNSUPPORTED', 'is not supported: send a user name and a password, or a token');
  for (const kind of given)
    if (kind !== ecosystem) refuse(kind, 'OTHER_ECOSYSTEM', `is a credential for ${kind}, not for ${ecosystem}`);
  if (credentials.npm && (credentials.npm.token === undefined) === (credentials.npm.basicAuth === undefined))
    refuse('npm', 'ONE_CREDENTIAL', 'expected either token or basicAuth');
  for (const kind of Object.keys(settings.additionalConfig))
    if (kind !== ecosystem) refuse(`config/additionalConfig/${kind}`, 'OTHER_ECOSYSTEM', `is not for ${ecosystem}`);
  const { url } = settings;
  const [kind] = given as CredentialKind[];
  const hasMoved = url !== stored.settings.url || ecosystem !== stored.settings.ecosystem;
  if (stored.hasCredential && hasMoved && kind === undefined)
    refuse('config/url', 'CREDENTIAL_REQUIRED', 'changed, so the credential must be sent again');
  const willHaveCredential = kind !== undefined || stored.hasCredential;
  if (willHaveCredential && !canCall(url))
    refuse('config/url', 'URL_REFUSED', 'expected https on port 443 or 8443; the operator can allow other targets');
  if (settings.requiresAuth && !willHaveCredential)
    refuse('config/requiresAuth', 'CREDENTIAL_REQUIRED', 'needs a credential of npm, PyPI or Maven');
  return { settings, credential: kind && JSON.stringify({ kind, ...credentials[kind] }), errors };
}
