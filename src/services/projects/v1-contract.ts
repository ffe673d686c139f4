import { z } from 'zod';
import { Switch } from '#domain/products/shape.ts';
import { ProjectManagedScanSettings } from '#domain/projects/shape.ts';
import { operation } from '#kernel/contract/operation.ts';
import * as plain from '#kernel/contract/plain-fields.ts';
import { deployment, name } from '#kernel/contract/proto-fields.ts';
import { PROJECT_CHANGE_REFUSED, TAG_QUOTA } from './contract.ts';

export const V1ManagedScanConfig = z.object({ diff_scan: Switch, full_scan: Switch });

export const V1ListedProject = z.object({
  id: plain.id('Project'),
  name: z.string(),
  url: plain.nullable(z.string()),
  tags: z.array(z.string()),
  created_at: plain.timestamp(),
  latest_scan_at: plain.nullable(plain.timestamp()),
  primary_branch: plain.nullable(z.string()),
  default_branch: plain.nullable(z.string()),
});
export type V1ListedProject = z.output<typeof V1ListedProject>;

export const V1Project = V1ListedProject.extend({ managed_scan_config: V1ManagedScanConfig });
export type V1Project = z.output<typeof V1Project>;

const base = '/api/v1/deployments/{deploymentSlug}/projects';
const path = { deploymentSlug: deployment() };
const projectPath = { ...path, projectName: name(512, 'ProjectName') };
/** Existing clients repeat these in the body. */
const repeated = { deploymentSlug: z.string().max(64).optional(), projectName: z.string().max(512).optional() };
const reading = { maturity: 'experimental', allow: 'project:read' } as const;
const managing = { maturity: 'experimental', allow: 'project:manage' } as const;
const one = { project: V1Project };
const tags = z.array(name()).max(100);

export const listProjects = operation({
  ...reading,
  route: `GET ${base}`,
  summary: 'List projects',
  description:
    'Projects that were scanned or have managed scans, in order of registration, without archived ones. The last ' +
    'page is shorter than `page_size`.',
  path,
  query: { page: plain.page(), page_size: plain.pageSize({ fallback: 100, min: 100, max: 3000 }) },
  reply: { projects: z.array(V1ListedProject) },
});

export const getProject = operation({
  ...reading,
  route: `GET ${base}/{projectName...}`,
  summary: 'Get a project',
  description: 'By name, ignoring case; slashes in the name may be encoded or not.',
  path: projectPath,
  reply: one,
});

export const updateProject = operation({
  ...managing,
  route: `PATCH ${base}/{projectName...}`,
  summary: 'Update a project',
  description:
    '`tags` replaces the tags. `primary_branch` is a full ref, or `None` for the default branch. Absent members are ' +
    'not changed.',
  path: projectPath,
  body: {
    ...repeated,
    tags: tags.optional(),
    primary_branch: name(512).optional(),
    managed_scan_config: ProjectManagedScanSettings.optional(),
  },
  reply: one,
  faults: [PROJECT_CHANGE_REFUSED, TAG_QUOTA],
});

export const deleteProject = operation({
  ...managing,
  route: `DELETE ${base}/{projectName...}`,
  summary: 'Delete a project and its findings',
  path: projectPath,
  reply: { project_name: z.string() },
});

export const addProjectTags = operation({
  ...managing,
  route: `PUT ${base}/{projectName...}/tags`,
  summary: 'Add tags to a project',
  description: 'Tags that are new to the deployment are created.',
  path: projectPath,
  body: { ...repeated, tags },
  reply: one,
  faults: [TAG_QUOTA],
});

export const deleteProjectTags = operation({
  ...managing,
  route: `DELETE ${base}/{projectName...}/tags`,
  summary: 'Remove tags from a project',
  description:
    'Removes the tags from this project only; they remain in the deployment. They are given in the query or, as some ' +
    'clients do, in the body.',
  path: projectPath,
  query: { tags: tags.min(1).optional() },
  body: { ...repeated, tags: tags.min(1).optional() },
  reply: one,
});

export const toggleProjectManagedScan = operation({
  ...managing,
  route: `PATCH ${base}/{projectName...}/managed-scan`,
  summary: 'Enable or disable managed scans of a project',
  path: projectPath,
  body: { ...repeated, diff_scan: Switch.optional(), full_scan: Switch.optional() },
  reply: one,
  faults: [TAG_QUOTA],
});
