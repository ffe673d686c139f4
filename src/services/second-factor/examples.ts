import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  getSecondFactor: () => ({}),
  beginSecondFactor: (of) => ({ body: { password: of('PasswordAlone') } }),
  confirmSecondFactor: (of) => ({ body: { code: of('FirstCode') } }),
  renewRecoveryCodes: (of) => ({ body: { password: of('Password'), code: of('SecondFactorCode') } }),
  removeSecondFactor: (of) => ({ body: { password: of('Password'), code: of('SecondFactorCode') } }),
};
