import { z } from 'zod';
import { operation } from '#kernel/contract/operation.ts';
import { asNumber, deployment, id, line, oneOf } from '#kernel/contract/proto-fields.ts';

export const MAX_SUBPROJECTS = 100;
export const MAX_RESOLUTION_SECONDS = 1800;
const MAX_ENTRIES = 50;
const MAX_COMMAND_LENGTH = 4096;
const BODY_LIMIT_BYTES = 4 * 1024 ** 2;

const isSmall = (map: object) => Object.keys(map).length <= MAX_ENTRIES;
const smallMap = (key: RegExp) =>
  z.record(z.string().regex(key), line(1024)).refine(isSmall, { error: `expected at most ${MAX_ENTRIES} entries` });

/** A path within the project: no part of it leads out. */
const relativePath = () =>
  line(1024).refine((path) => !path.startsWith('/') && !path.split('/').includes('..'), {
    error: 'expected a path within the project',
  });

export const ScaResolutionConfig = z.object({
  configVersion: z.int().min(0).max(1_000_000),
  miseTools: smallMap(/^[\w.:/@-]{1,128}$/),
  envVars: smallMap(/^[A-Za-z_]\w{0,127}$/),
  systemPackages: z.array(z.string().regex(/^[a-z\d][a-z\d.+-]{0,127}$/)).max(MAX_ENTRIES),
  commands: z.array(z.string().min(1).max(MAX_COMMAND_LENGTH)).max(MAX_ENTRIES),
  outputPath: relativePath(),
  outputFormat: oneOf(['SCA_RESOLUTION_OUTPUT_FORMAT_CYCLONEDX_JSON']),
  resolutionTimeoutS: z.int().min(1).max(MAX_RESOLUTION_SECONDS),
});
export type ScaResolutionConfig = z.output<typeof ScaResolutionConfig>;

export const ScaResolutionConfigs = z.object({
  /** By the path of the part within the project; empty for the whole project. */
  perSubproject: z
    .record(relativePath(), ScaResolutionConfig)
    .refine((map) => Object.keys(map).length <= MAX_SUBPROJECTS, {
      error: `expected at most ${MAX_SUBPROJECTS} parts`,
    }),
});
export type ScaResolutionConfigs = z.output<typeof ScaResolutionConfigs>;

const route = '/api/agent/deployments/{deploymentId}/projects/{projectId}/resolution_configs' as const;
const facts = {
  maturity: 'experimental',
  path: { deploymentId: asNumber(deployment()), projectId: asNumber(id('Project')) },
} as const;

export const getScaResolutionConfigs = operation({
  ...facts,
  route: `GET ${route}`,
  summary: 'Get how dependencies of a project are resolved',
  description: 'By the path of each part of the project that has no lock file.',
  allow: 'project:read',
  reply: { resolutionConfigs: ScaResolutionConfigs },
});

export const setScaResolutionConfigs = operation({
  ...facts,
  route: `PUT ${route}`,
  summary: 'Set how dependencies of a project are resolved',
  description:
    'Replaces all parts. Your own runners read it: this server does not run these commands. Everybody who sees the ' +
    'project sees them, so `envVars` must hold no secrets.',
  allow: 'project:manage',
  isExtension: true,
  bodyLimitBytes: BODY_LIMIT_BYTES,
  body: { resolutionConfigs: ScaResolutionConfigs },
  reply: { resolutionConfigs: ScaResolutionConfigs },
});
