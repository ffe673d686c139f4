import { z } from 'zod';
import { OrgRoleName } from '#domain/deployments/shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { id, timestamp } from '#kernel/contract/proto-fields.ts';

export const MAX_PENDING_INVITATIONS = 1000;
export const INVITATION_QUOTA = fault(
  'INVITATION_QUOTA',
  409,
  'At most {most} invitations can be pending.',
  'Cancel some, or wait: an invitation that is not accepted expires after a day.',
);

/** An invitation that was not accepted. It tells nothing about the account of the address, if there is one. */
export const PendingInvitation = z.object({
  id: id('Invitation'),
  email: z.string(),
  /** As the inviter wrote it. */
  name: z.string(),
  role: OrgRoleName,
  invitedBy: z.string(),
  createdAt: timestamp(),
  expiresAt: timestamp(),
});
export type PendingInvitation = z.output<typeof PendingInvitation>;

/** What the examples of the API description show. */
export const exampleIds = { Invitation: '21' };
