import { readFileSync } from 'node:fs';
import process from 'node:process';
import * as parapet from './client/index.js';

/** Calls a running server twenty times through the client that OpenAPI Generator made, and prints how many it made. */

const { BASE = '', EMAIL = '', PASSWORD = '', REPORT = '' } = process.env;

let accessToken = '';
let calls = 0;
const configuration = new parapet.Configuration({
  basePath: BASE,
  accessToken: () => accessToken,
  middleware: [{ pre: async () => void calls++ }],
});

function expect(isTrue: boolean, fact: string): void {
  if (!isTrue) throw new Error(`It is not true that ${fact}.`);
}

/** The body of the error that this call is answered with. */
async function refused(status: number, call: Promise<unknown>): Promise<parapet.Problem> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof parapet.ResponseError) || error.response.status !== status)
    throw new Error(`The call is not refused with ${status}.`, { cause: error });
  return parapet.ProblemFromJSON(await error.response.json());
}

const teams = new parapet.TeamsServiceApi(configuration);
const users = new parapet.UsersServiceApi(configuration);
const tokens = new parapet.TokenServiceApi(configuration);
const issues = new parapet.IssuesServiceApi(configuration);

await new parapet.MiscServiceApi(configuration).miscServiceGetPing();
expect(
  (await refused(401, users.usersServiceGetUser())).code === 'NO_CREDENTIALS',
  'a caller without credentials is told so',
);
const credentials = { email: EMAIL, password: PASSWORD };
const sessions = new parapet.SessionsServiceApi(configuration);
({ accessToken } = await sessions.sessionsServiceCreateSession({ sessionsServiceCreateSessionRequest: credentials }));
expect((await users.usersServiceGetUser()).user.email === EMAIL, 'the session is that of the user');
const { deployments } = await new parapet.V1DeploymentsServiceApi(configuration).v1DeploymentsServiceListDeployments();
const deploymentId = deployments[0]?.slug ?? '';

const { team } = await teams.teamsServiceCreateDeploymentTeam({
  deploymentId,
  teamsServiceCreateDeploymentTeamRequest: { team: { name: `Payments ${process.pid}` } },
});
const listed = await teams.teamsServiceListDeploymentTeams({
  deploymentId,
  teamsServiceListDeploymentTeamsRequest: { limit: '1000' },
});
expect(
  listed.teams.some(({ id }) => id === team.id),
  'the team is listed',
);
const name = `Payments and billing ${process.pid}`;
const renamed = { deploymentId, teamId: team.id, teamsServiceUpdateDeploymentTeamRequest: { team: { name } } };
expect((await teams.teamsServiceUpdateDeploymentTeam(renamed)).team.name === name, 'the team is renamed');
expect(
  (await teams.teamsServiceGetDeploymentTeam({ deploymentId, teamId: team.id })).team.name === name,
  'the name stays',
);
const members = await teams.teamsServiceListTeamUsers({ deploymentId, teamId: team.id, limit: 10 });
expect(members.users.length === 0, 'the team has no members');
await teams.teamsServiceDeleteDeploymentTeam({ deploymentId, teamId: team.id });
const gone = await refused(404, teams.teamsServiceGetDeploymentTeam({ deploymentId, teamId: team.id }));
expect(gone.code === 'NOT_FOUND', 'the team is gone');

const created = await tokens.tokenServiceCreateToken({
  deploymentId,
  tokenServiceCreateTokenRequest: { name: `smoke ${process.pid}`, role: 'TOKEN_ROLE_WEBAPI', webApi: true },
});
const { tokens: listedTokens } = await tokens.tokenServiceListTokens({ deploymentId });
expect(
  listedTokens.some(({ id }) => id === created.token.id),
  'the token is listed',
);
accessToken = created.secret;

const project = `acme/typescript-${process.pid}`;
const report = new Blob([readFileSync(REPORT)], { type: 'application/sarif+json' });
const imports = new parapet.ImportsServiceApi(configuration);
const imported = await imports.importsServiceImportReport({ deployment: deploymentId, project, body: report });
expect(imported.opened === 1, 'the import opens a finding');
const projects = new parapet.ProjectsServiceApi(configuration);
const { projects: listedProjects } = await projects.projectsServiceListProjects({
  deploymentId,
  projectsServiceListProjectsRequest: {},
});
expect(
  listedProjects.some((one) => one.name === project),
  'the project is listed',
);
const found = await issues.issuesServiceListIssues({
  deploymentId,
  issuesServiceListIssuesRequest: { issueType: 'ISSUE_TYPE_SAST' },
});
const issueId = found.issues[0]?.issue.id ?? '';
expect((await issues.issuesServiceGetIssue({ deploymentId, issueId })).id === issueId, 'the issue is found by its id');
await issues.issuesServiceBulkUpdateIssues({
  deploymentId,
  issuesServiceBulkUpdateIssuesRequest: {
    filter: { repositoryNames: [project] },
    params: { triageState: 'FINDING_TRIAGE_STATE_REVIEWING' },
  },
});
const { findings } = await new parapet.FindingsServiceApi(configuration).findingsServiceListFindings({
  deploymentSlug: deploymentId,
});
expect(findings[0]?.rule_name === 'no-eval', 'the finding of v1 has the rule');
await new parapet.RuleboardServiceApi(configuration).ruleboardServiceListRuleboards({ deploymentId });
await new parapet.AuditServiceApi(configuration).auditServiceListAuditRecords({ deploymentId, limit: 5 });

console.log(`${calls} calls through the TypeScript client`);
process.exit(calls >= 20 ? 0 : 1);
