import { z } from 'zod';
import { PendingInvitation } from '#domain/invitations/shape.ts';
import { operation } from '#kernel/contract/operation.ts';
import { cursor, deployment, id, limit } from '#kernel/contract/proto-fields.ts';

const base = '/api/agent/deployments/{deploymentId}/invitations';
const path = { deploymentId: deployment() };
const facts = { maturity: 'experimental', credential: 'user', isExtension: true } as const;

export const listInvitations = operation({
  ...facts,
  route: `GET ${base}`,
  summary: 'List invitations that were not accepted',
  description:
    'Newest first. An invited person is not a member until they accept. An expired invitation is listed for 30 days.',
  allow: 'invitation:read',
  path,
  query: { limit: limit(), cursor: cursor() },
  reply: { invitations: z.array(PendingInvitation), cursor: cursor() },
});

export const deleteInvitation = operation({
  ...facts,
  route: `DELETE ${base}/{invitationId}`,
  summary: 'Cancel an invitation',
  description: 'Its link is refused from then on.',
  allow: 'user:manage',
  path: { ...path, invitationId: id('Invitation') },
  reply: {},
});
