import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './account-contract.ts';

export const accountExamples: Examples<typeof contract> = {
  changePassword: (of) => ({ body: { currentPassword: of('Password'), newPassword: of('Password') } }),
  listSessions: () => ({ query: { includeEnded: true } }),
  endSession: (of) => ({ path: { sessionId: of('Session') } }),
  endOtherSessions: () => ({}),
  requestPasswordReset: (of) => ({ body: { email: of('NewEmail') } }),
  completePasswordReset: (of) => ({ body: { token: of('ResetToken'), password: 'correct horse battery staple' } }),
};
