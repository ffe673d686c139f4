import { z } from 'zod';
import { DEPLOYMENTS_RESTRICTED } from '#domain/deployments/shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { count, deployment, id, oneOf } from '#kernel/contract/proto-fields.ts';

export const NOT_A_DEMO = fault(
  'NOT_A_DEMO',
  409,
  'This deployment is not a demo.',
  'Only a demo has a loading progress and can be removed.',
);
export const DEMO_QUOTA = fault(
  'DEMO_QUOTA',
  409,
  'A person can create at most {most} deployments, and a demo is one.',
  'Use one of your deployments, or ask somebody else to load a demo.',
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
    'Creates a deployment with generated projects, people, scans and findings, so that every screen has something ' +
    'to show. A job loads it; poll for its progress. A person has one demo: a second call returns the existing demo, ' +
    'and resumes loading it if that failed.',
  allow: 'self',
  credential: 'user',
  status: 202,
  reply: { deploymentId: id('Deployment'), slug: z.string(), state: DemoState },
  faults: [DEPLOYMENTS_RESTRICTED, DEMO_QUOTA],
});

export const getDemo = operation({
  ...facts,
  route: `GET ${base}/{deploymentId}`,
  summary: 'Get the loading progress of a demo',
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
    'Deletes the deployment with its generated people, projects, scans and findings. The audit trail is kept.',
  allow: 'deployment:manage',
  credential: 'user',
  path: { deploymentId: deployment() },
  reply: {},
  faults: [NOT_A_DEMO],
});

/** What the examples of the API description show. */
export const exampleIds = { DemoDeployment: '1' };
