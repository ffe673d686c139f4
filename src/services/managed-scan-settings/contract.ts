import { z } from 'zod';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import * as plain from '#kernel/contract/plain-fields.ts';
import { asNumber, deployment, id, readOnly } from '#kernel/contract/proto-fields.ts';

export const MIN_FAIL_OPEN_SECONDS = 60;
export const MAX_FAIL_OPEN_SECONDS = 3600;
export const DEFAULT_SETTINGS = { failOpen: true, failOpenTimeout: '600s' } as const;

export const MANAGED_SCAN_SETTINGS_EXIST = fault(
  'MANAGED_SCAN_SETTINGS_EXIST',
  409,
  'The deployment has settings for managed scans already.',
  'Change them, or delete them first.',
);

export const DeploymentScanSettings = z.object({
  /** 0 as long as the deployment has the defaults. */
  id: plain.id('ManagedScanSettings'),
  deploymentId: plain.id('Deployment'),
  failOpen: z.boolean(),
  failOpenTimeout: z.string(),
});
export type DeploymentScanSettings = z.output<typeof DeploymentScanSettings>;

const isInRange = (text: string) => {
  const seconds = Number.parseInt(text, 10);
  return seconds >= MIN_FAIL_OPEN_SECONDS && seconds <= MAX_FAIL_OPEN_SECONDS;
};

export const DeploymentScanSettingsDraft = z.object({
  id: readOnly(plain.id('ManagedScanSettings')),
  deploymentId: readOnly(plain.id('Deployment')),
  failOpen: z.boolean().optional(),
  failOpenTimeout: z
    .string()
    .regex(/^\d{1,6}s$/, { error: 'expected whole seconds, such as 600s' })
    .refine(isInRange, { error: `expected ${MIN_FAIL_OPEN_SECONDS}s to ${MAX_FAIL_OPEN_SECONDS}s` })
    .optional(),
});
export type DeploymentScanSettingsDraft = z.output<typeof DeploymentScanSettingsDraft>;

const base = '/api/agent/deployments/{deploymentId}/managed_scan_settings';
const path = { deploymentId: asNumber(deployment()) };
const settingsPath = { ...path, managedScanSettingsId: plain.id('ManagedScanSettings') };
const deploymentMember = { deploymentId: asNumber(id('Deployment')).optional() };
const reply = { managedScanSettings: DeploymentScanSettings };
const facts = { maturity: 'experimental' } as const;

export const getManagedScanSettings = operation({
  ...facts,
  route: `GET ${base}`,
  summary: 'Get the settings of managed scans',
  description: 'The defaults, with the id 0, if the deployment has none of its own.',
  allow: 'deployment:read',
  path,
  reply,
});

export const createManagedScanSettings = operation({
  ...facts,
  route: `POST ${base}`,
  summary: 'Create the settings of managed scans',
  description:
    'With `failOpen`, a pull request whose scan takes longer than `failOpenTimeout` (one minute to one hour) is not ' +
    'held up by it. This server does not start scans itself yet.',
  allow: 'deployment:manage',
  path,
  body: { ...deploymentMember, managedScanSettings: DeploymentScanSettingsDraft.default({}) },
  reply,
  faults: [MANAGED_SCAN_SETTINGS_EXIST],
});

export const updateManagedScanSettings = operation({
  ...facts,
  route: `PUT ${base}/{managedScanSettingsId}`,
  summary: 'Change the settings of managed scans',
  description: 'Members that are left out stay as they are.',
  allow: 'deployment:manage',
  path: settingsPath,
  body: {
    ...deploymentMember,
    managedScanSettingsId: plain.id('ManagedScanSettings').optional(),
    managedScanSettings: DeploymentScanSettingsDraft,
  },
  reply,
});

export const deleteManagedScanSettings = operation({
  ...facts,
  route: `DELETE ${base}/{managedScanSettingsId}`,
  summary: 'Delete the settings of managed scans',
  description: 'The defaults apply again.',
  allow: 'deployment:manage',
  path: settingsPath,
  reply: {},
});

/** What the examples of the API description show. */
export const exampleIds = { DeploymentWithoutScanSettings: '1', ManagedScanSettings: '6' };
