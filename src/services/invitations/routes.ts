import * as store from '#domain/invitations/store.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';

/** InvitationsService: the people who were invited to a deployment and have not accepted. */
export const invitations = group(
  'InvitationsService',
  contract,
  {
    listInvitations: async ({ path, page, tx }) => {
      const { items, cursor } = page.close(await store.list(tx, path.deploymentId, page.window), ({ id }) => [id]);
      return { invitations: items, cursor };
    },

    deleteInvitation: async ({ path, tx, answer }) => {
      if ((await store.remove(tx, path.deploymentId, path.invitationId)) === 0) throw NOT_FOUND();
      answer.recordEffect({ object: `invitation/${path.invitationId}` });
      return {};
    },
  },
  {
    objects: {
      invitationId: async (tx, { deployment, id }) =>
        (await store.find(tx, deployment, id)) ? new Set<string>() : undefined,
    },
  },
);
