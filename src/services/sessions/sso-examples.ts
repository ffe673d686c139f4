import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './sso-contract.ts';

export const ssoExamples: Examples<typeof contract> = {
  listSignInWays: (of) => ({ body: { email: of('Email') } }),
  startSignIn: (of) => ({ body: { way: of('SignInWay'), next: '/' } }),
  completeSignIn: (of) => ({
    body: { providerId: of('StartableSsoProvider'), parameters: 'code=the-code&state=the-state' },
  }),
  endProviderSessions: (of) => ({
    path: { provider: of('StartableSsoProvider') },
    upload: 'logout_token=a.b.c',
  }),
  relaySamlResponse: (of) => ({ path: { provider: of('SamlProvider') }, upload: 'SAMLResponse=PD94bWw%3D' }),
  getSamlMetadata: (of) => ({ path: { provider: of('SamlProvider') } }),
};
