import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  createSession: (of) => ({ body: { email: of('Email'), password: of('Password') } }),
  refreshSession: () => ({ body: {} }),
  deleteSession: () => ({}),
  setUp: (of) => ({
    body: {
      setupToken: of('SetupToken'),
      email: 'admin@example.com',
      password: 'correct horse battery staple',
      name: 'Ada Admin',
      deploymentName: 'Acme',
    },
  }),
  acceptInvitation: (of) => ({
    body: { token: of('InvitationToken'), name: 'Grace Guest', password: 'correct horse battery staple' },
  }),
};
