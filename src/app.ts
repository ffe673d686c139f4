import type { Room } from '#kernel/http/openapi.ts';
import { examples as miscExamples } from '#services/misc/examples.ts';
import { misc } from '#services/misc/routes.ts';
import { examples as publicIssueExamples } from '#services/public-issues/examples.ts';
import { publicIssues } from '#services/public-issues/routes.ts';
import { examples as reportExamples } from '#services/reports/examples.ts';
import { reports } from '#services/reports/routes.ts';
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
  {
    group: publicIssues,
    examples: publicIssueExamples,
    purpose: 'Search, inspect and triage what Agentic Workflows found',
  },
  { group: reports, examples: reportExamples, purpose: 'Reporting dashboards' },
  { group: sessionGroup, examples: sessionExamples, purpose: 'Signing in, signing out and the first set-up' },
  { group: teams, examples: teamExamples, purpose: 'Teams for access control within a deployment' },
  { group: token, examples: tokenExamples, purpose: 'Tokens for programmatic access' },
  { group: users, examples: userExamples, purpose: 'User accounts, settings and memberships' },
];
