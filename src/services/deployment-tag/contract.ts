import { z } from 'zod';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import * as plain from '#kernel/contract/plain-fields.ts';
import { asNumber, deployment, id, name } from '#kernel/contract/proto-fields.ts';

export const TAG_TAKEN = fault(
  'TAG_TAKEN',
  409,
  'The tag {name} exists already.',
  'Choose another name, or give the projects the tag that is there.',
);

const base = '/api/agent/deployments/{deploymentId}/tags';
const path = { deploymentId: deployment() };
const tagPath = { ...path, repositoryTag: name(128, 'Tag') };
const repeated = { deploymentId: asNumber(id('Deployment')).optional() };
const one = { deployment_id: plain.id('Deployment'), repository_tag: z.string() };
const reading = { maturity: 'experimental', allow: 'tag:read' } as const;
const managing = { maturity: 'experimental', allow: 'tag:manage' } as const;

export const DeploymentTag = z.object({ id: plain.id('Tag'), name: z.string(), projectCount: z.int().optional() });

export const listDeploymentTags = operation({
  ...reading,
  route: `GET ${base}`,
  summary: 'List the tags of a deployment',
  description: 'In their order as texts, also those that no project has any more.',
  path,
  reply: { deployment_id: plain.id('Deployment'), repository_tags: z.array(z.string()) },
});

export const findDeploymentTags = operation({
  ...reading,
  route: `POST ${base}/find`,
  summary: 'List the tags of a deployment with their ids',
  description: 'With `includeCounts` each tells how many of the projects that you see have it.',
  path,
  body: { ...repeated, includeCounts: z.boolean().optional() },
  reply: { tags: z.array(DeploymentTag) },
});

export const getDeploymentTag = operation({
  ...reading,
  route: `GET ${base}/{repositoryTag...}`,
  summary: 'Get a tag',
  path: tagPath,
  reply: one,
});

export const updateDeploymentTag = operation({
  ...managing,
  route: `PUT ${base}/{repositoryTag...}`,
  summary: 'Rename a tag',
  description: 'On all projects that have it.',
  path: tagPath,
  body: { ...repeated, repositoryTag: name(128, 'Tag').optional(), name: name() },
  reply: one,
  faults: [TAG_TAKEN],
});

export const deleteDeploymentTag = operation({
  ...managing,
  route: `DELETE ${base}/{repositoryTag...}`,
  summary: 'Delete a tag',
  description: 'Takes it from all projects that have it.',
  path: tagPath,
  reply: {},
});

/** What the examples of the API description show. */
export const exampleIds = { Tag: 'team:web' };
