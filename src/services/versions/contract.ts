import { z } from 'zod';
import { ScanEnvironment } from '#domain/scans/shape.ts';
import { operation } from '#kernel/contract/operation.ts';
import { deployment, id, oneOf } from '#kernel/contract/proto-fields.ts';

export const ProjectScannerInfo = z.object({
  repositoryName: z.string(),
  repositoryId: id('Project'),
  cliVersion: z.string(),
  scanEnvironment: ScanEnvironment,
});
export type ProjectScannerInfo = z.output<typeof ProjectScannerInfo>;

export const getProjectVersionInfo = operation({
  route: 'GET /api/agent/versions/{deploymentId}/project-info/{product}',
  summary: 'List the scanner version of each project',
  description: 'From the latest scan for one product: `sast`, `sca`, `secrets` or `ai_sast`. Ordered by project name.',
  maturity: 'experimental',
  allow: 'scan:read',
  credential: 'user',
  path: { deploymentId: deployment(), product: oneOf(['sast', 'sca', 'secrets', 'ai_sast']) },
  reply: { projectInfo: z.array(ProjectScannerInfo) },
});
