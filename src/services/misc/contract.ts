import { z } from 'zod';
import { operation } from '#kernel/contract/operation.ts';
import { id } from '#kernel/contract/proto-fields.ts';

export const getIdentity = operation({
  route: 'GET /api/agent/identity',
  summary: 'Get the owner of the credential',
  description:
    'For a user `identity` is the e-mail address, and the deployment is the one they joined first; 0 means none. For ' +
    'a token it has the fields that command lines parse, with `webapi` among the roles if the token has the Web API ' +
    'permission.',
  maturity: 'experimental',
  allow: 'self',
  credential: 'any-token',
  reply: { identity: z.string(), userId: id('User'), deploymentId: id('Deployment') },
});

export const getIp = operation({
  route: 'GET /api/agent/ip',
  summary: "Get the caller's address as the server sees it",
  description: '`cf` names the edge network that forwarded the request; it is empty if there is none.',
  maturity: 'experimental',
  allow: 'self',
  reply: { ip: z.string(), cf: z.string() },
});

export const getPing = operation({
  route: 'GET /api/agent/ping',
  summary: 'Check that the server is up',
  maturity: 'experimental',
  allow: 'public',
  transaction: 'none',
  reply: { message: z.string() },
});

export const ping = operation({
  route: 'GET /api/v1/ping',
  summary: 'Check that the server is up, as the v1 API asks',
  maturity: 'experimental',
  allow: 'public',
  transaction: 'none',
  reply: {},
});

export const getTenant = operation({
  route: 'GET /api/agent/tenant',
  summary: 'Get the name of this installation',
  description: 'The host name of its public address.',
  maturity: 'experimental',
  allow: 'public',
  transaction: 'none',
  reply: { tenant: z.string() },
});

export const healthCheck = operation({
  route: 'GET /api/health-check',
  summary: 'Check that the process is alive',
  description: 'Checks only the process itself; see the readiness check for the database.',
  maturity: 'experimental',
  allow: 'public',
  transaction: 'none',
  reply: { status: z.string(), healthy: z.boolean() },
});

export const readinessCheck = operation({
  route: 'GET /api/readiness-check',
  summary: 'Check that requests can be served',
  description: '503 while the database does not answer or the server is stopping.',
  maturity: 'experimental',
  allow: 'public',
  reply: { status: z.string(), ready: z.boolean() },
});
