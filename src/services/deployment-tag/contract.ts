import { z } from 'zod';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import * as plain from '#kernel/contract/plain-fields.ts';
import { asNumber, deployment, id, name } from '#kernel/contract/proto-fields.ts';

export const TAG_TAKEN = fault(
  'TAG_TAKEN',
  409,
  'The tag {name} already exists.',
  'Choose another name, or add the existing tag to the projects.',
);

const base = '/api/agent/deployments/{deploymentId}/tags';
const path = { deploymentId: deployment() };
const tagPath = { ...path, repositoryTag: name(128, 'Tag') };
const repeated = { deploymentId: asNumber(id('Deployment')).optional() };
const tagReply = { deployment_id: plain.id('Deployment'), repository_tag: z.string() };
const reading = { maturity: 'experimental', allow: 'tag:read' } as const;
const managing = { maturity: 'experimental', allow: 'tag:manage' } as const;

export const DeploymentTag = z.object({ id: plain.id('Tag'), name: z.string(), projectCount: z.int().optional() });

export const listDeploymentTags = operation({
  ...reading,
  route: `GET ${base}`,
  summary: 'List the tags of a deployment',
  description: 'In alphabetical order, including tags that no project has any more.',
  path,
  reply: { deployment_id: plain.id('Deployment'), repository_tags: z.array(z.string()) },
});

export const findDeploymentTags = operation({
  ...reading,
  route: `POST ${base}/find`,
  summary: 'List the tags of a deployment with their ids',
  description: 'With `includeCounts`, each tag has the number of its projects that you can see.',
  path,
  body: { ...repeated, includeCounts: z.boolean().optional() },
  reply: { tags: z.array(DeploymentTag) },
});

export const getDeploymentTag = operation({
  ...reading,
  route: `GET ${base}/{repositoryTag...}`,
  summary: 'Get a tag',
  path: tagPath,
  reply: tagReply,
});

export const updateDeploymentTag = operation({
  ...managing,
  route: `PUT ${base}/{repositoryTag...}`,
  summary: 'Rename a tag',
  description: 'The tag is renamed on all of its projects.',
  path: tagPath,
  body: { ...repeated, repositoryTag: name(128, 'Tag').optional(), name: name() },
  reply: tagReply,
  faults: [TAG_TAKEN],
});

export const deleteDeploymentTag = operation({
  ...managing,
  route: `DELETE ${base}/{repositoryTag...}`,
  summary: 'Delete a tag',
  description: 'The tag is removed from all of its projects.',
  path: tagPath,
  reply: {},
});

/** What the examples of the API description show. */
export const exampleIds = { Tag: 'team:web' };
