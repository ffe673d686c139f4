import { z } from 'zod';
import {
  AiChange,
  ProductChange,
  ProductConfig,
  SastChange,
  ScaChange,
  SecretsChange,
  TriagePermission,
} from '#domain/products/shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { asNumber, deployment, id, readOnly } from '#kernel/contract/proto-fields.ts';

export const PRODUCT_NAMES_DISAGREE = fault(
  'PRODUCT_NAMES_DISAGREE',
  400,
  'The body gives {name} and {alias} with different values.',
  'Send one of them; they are the same setting.',
);

const triage = { triagePermission: readOnly(TriagePermission) };

export const AdminAiSettings = AiChange.extend({
  legacy_allow_openai_code_sharing: z
    .boolean()
    .optional()
    .meta({ description: 'The same as `legacy_allow_aiprovider_code_sharing`.' }),
  mdr_enabled: readOnly(z.boolean()),
});

export const ScanSuspension = z.object({
  scans_suspended_on: z.number(),
  scans_suspended_until: z.number(),
  scans_suspended_by: z.int(),
});

const base = '/api/agent/deployments/{deploymentId}/products';
const path = { deploymentId: deployment() };

export const getDeploymentProductConfig = operation({
  route: `GET ${base}`,
  summary: 'Get deployment product config',
  description:
    'A deployment without changes has the defaults. `triagePermission` is what the caller may do: ignore findings, ' +
    'request it (developer triage is on and the caller is not an administrator), or neither.',
  maturity: 'experimental',
  allow: 'product:read',
  path,
  reply: { products: ProductConfig },
  isVersioned: true,
});

export const putDeploymentProductConfig = operation({
  route: `PUT ${base}`,
  summary: 'Create or update deployment product config',
  description:
    'Absent members are unchanged; `null` is refused; the list `allowed_providers` is replaced as a whole. ' +
    '`mdr_enabled` and `triagePermission` belong to the reply: in a request they have no effect. ' +
    '`deploymentId` must agree with the path.',
  maturity: 'experimental',
  allow: 'product:manage',
  path,
  body: {
    deploymentId: asNumber(id('Deployment')).optional(),
    ...ProductChange.shape,
    ai: AdminAiSettings.optional(),
    sast: SastChange.extend(triage).optional(),
    sca: ScaChange.extend(triage).optional(),
    secrets: SecretsChange.extend(triage).optional(),
  },
  reply: { products: ProductConfig },
  faults: [PRODUCT_NAMES_DISAGREE],
  isVersioned: true,
});

export const getDeploymentAdminProductConfig = operation({
  route: `GET ${base}/admin`,
  summary: 'Get the product settings of the operator',
  description: 'Times are seconds since 1970; 0 where scans are not suspended.',
  maturity: 'experimental',
  allow: 'product:read',
  path,
  reply: {
    products: z.object({
      sast: ScanSuspension,
      sca: ScanSuspension,
      secrets: ScanSuspension,
      engine: z.object({ controlled_rollout_enabled: z.boolean() }),
    }),
  },
});
