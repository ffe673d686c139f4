import { z } from 'zod';
import { ProjectManagedScanSettings } from '#domain/projects/shape.ts';
import { operation } from '#kernel/contract/operation.ts';
import { deployment, id } from '#kernel/contract/proto-fields.ts';

export const MAX_LISTED_PROJECTS = 1000;

export const SettingsByProject = z.object({
  projectId: id('Project'),
  project_managed_scan_settings: ProjectManagedScanSettings,
});
export type SettingsByProject = z.output<typeof SettingsByProject>;

const base = '/api/sms/v2/deployments/{deploymentId}';
const facts = { maturity: 'experimental', allow: 'project:read' } as const;

export const bulkGetProjectManagedScanSettings = operation({
  ...facts,
  route: `POST ${base}/project_settings`,
  summary: 'Get the managed scans of several projects',
  description: 'In the order of ids. Projects that do not exist, or that you may not see, are left out.',
  path: { deploymentId: deployment() },
  body: {
    deploymentId: id('Deployment').optional(),
    projectIds: z.array(id('Project')).max(MAX_LISTED_PROJECTS),
  },
  reply: { settingsByProject: z.array(SettingsByProject) },
});

export const getProjectManagedScanSettings = operation({
  ...facts,
  route: `GET ${base}/projects/{projectId}/settings`,
  summary: 'Get the managed scans of a project',
  description: 'Empty for a project without managed scans.',
  path: { deploymentId: deployment(), projectId: id('Project') },
  reply: { project_managed_scan_settings: ProjectManagedScanSettings },
});
