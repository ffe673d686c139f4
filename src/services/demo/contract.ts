import { z } from 'zod';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { count, deployment, id, oneOf } from '#kernel/contract/proto-fields.ts';

export const NOT_A_DEMO = fault(
  'NOT_A_DEMO',
  409,
  'This deployment is no demo.',
  'Only a deployment that was made by loading a demo can be asked for its progress or be removed here.',
);
export const DEMO_QUOTA = fault(
  'DEMO_QUOTA',
  409,
  'A person can create at most {most} deployments, and a demo is one.',
  'Use one of the deployments you have, or let somebody else load a demo.',
);

export const DemoState = oneOf(['LOADING', 'READY', 'FAILED']);

const base = '/api/demo/v1/deployments';
const facts = { maturity: 'experimental', isExtension: true } as const;

const progress = {
  deploymentId: id('Deployment'),
  slug: z.string(),
  isDemo: z.boolean(),
  state: DemoState,
  /** From 0 to 100. */
  progress: z.int(),
  findings: count(),
};

export const createDemo = operation({
  ...facts,
  route: `POST ${base}`,
  summary: 'Load a demo',
  description:
    'Makes a deployment of its own with made-up projects, people, scans and findings, so that every screen has ' +
    'something to show. It is filled by a job; ask how far it is. A person has one demo: asked again, the answer is ' +
    'the one that is there, and one that failed goes on from where it stopped.',
  allow: 'self',
  scheme: 'user',
  status: 202,
  reply: { deploymentId: id('Deployment'), slug: z.string(), state: DemoState },
  faults: [DEMO_QUOTA],
});

export const getDemo = operation({
  ...facts,
  route: `GET ${base}/{deploymentId}`,
  summary: 'Tell how far a demo is loaded',
  allow: 'deployment:read',
  path: { deploymentId: deployment() },
  reply: progress,
  faults: [NOT_A_DEMO],
});

export const deleteDemo = operation({
  ...facts,
  route: `DELETE ${base}/{deploymentId}`,
  summary: 'Remove a demo',
  description:
    'All of it goes: the deployment, its made-up people, projects, scans and findings. The audit trail stays.',
  allow: 'deployment:manage',
  scheme: 'user',
  path: { deploymentId: deployment() },
  reply: {},
  faults: [NOT_A_DEMO],
});

/** What the examples of the API description show. */
export const exampleIds = { DemoDeployment: '1' };
