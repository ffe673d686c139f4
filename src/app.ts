import type { Room } from '#kernel/http/openapi.ts';
import { examples as miscExamples } from '#services/misc/examples.ts';
import { misc } from '#services/misc/routes.ts';
import { examples as policyExamples } from '#services/policies/examples.ts';
import { policies } from '#services/policies/routes.ts';
import { examples as policyV2Examples } from '#services/policies-v2/examples.ts';
import { policiesV2 } from '#services/policies-v2/routes.ts';
import { examples as ruleboardExamples } from '#services/ruleboard/examples.ts';
import { ruleboard } from '#services/ruleboard/routes.ts';
import { examples as sessionExamples } from '#services/sessions/examples.ts';
import { sessionGroup } from '#services/sessions/routes.ts';
import { examples as teamExamples } from '#services/teams/examples.ts';
import { teams } from '#services/teams/routes.ts';
import { examples as tokenExamples } from '#services/token/examples.ts';
import { token } from '#services/token/routes.ts';
import { examples as userExamples } from '#services/users/examples.ts';
import { users } from '#services/users/routes.ts';

/** Every room of the house: what is not listed here does not exist. */
export const rooms: readonly Room[] = [
  { group: misc, examples: miscExamples, purpose: 'Small questions of clients and load balancers' },
  { group: policies, examples: policyExamples, purpose: 'Policies as they were before Unified Policies (deprecated)' },
  { group: policiesV2, examples: policyV2Examples, purpose: 'Policies of deployments on the Unified Policies model' },
  { group: ruleboard, examples: ruleboardExamples, purpose: 'Ruleboards: sets of rules and what happens on a match' },
  { group: sessionGroup, examples: sessionExamples, purpose: 'Signing in, signing out and the first set-up' },
  { group: teams, examples: teamExamples, purpose: 'Teams for access control within a deployment' },
  { group: token, examples: tokenExamples, purpose: 'Tokens for programmatic access' },
  { group: users, examples: userExamples, purpose: 'User accounts, settings and memberships' },
];
