import * as members from '#domain/teams/members.ts';
import * as teams from '#domain/teams/store.ts';
import type { Id } from '#kernel/contract/proto.ts';
import type { ExampleCall } from '#kernel/http/openapi.ts';
import * as issues from '#services/public-issues/contract.ts';
import * as teamRoom from '#services/teams/contract.ts';
import { plantDependencies } from './dependencies.ts';
import { makeNews } from './inbox.ts';
import type { Listed } from './operations.ts';
import type { Scene } from './scene.ts';
import { makeRules } from './things/boards.ts';
import { makeFinding, makeFindingOfRule, makeSecret } from './things/findings.ts';
import { makeScan } from './things/scans.ts';
import { make } from './things.ts';
import { fresh } from './world.ts';

/** Puts at least three items into the list that an example asks for, by the id of the operation. */
const FILLINGS: Record<string, (scene: Scene, example: ExampleCall) => Promise<unknown>> = {
  AuditService_ListAuditRecords: async ({ world, place }) => {
    const admin = world.as(teamRoom, (await world.signIn(place.admin)).jwt);
    const path = { deploymentId: place.id as Id<'Deployment'> };
    await three(() => admin.createDeploymentTeam({ path, body: { team: { name: fresh('Team ') } } }));
  },
  FindingsService_ListFindings: (scene) => three(() => make(scene, 'Finding')),
  IssuesService_ListIssues: (scene) => three(() => make(scene, 'Finding')),
  IssuesService_ListAllIssues: (scene) => three(() => make(scene, 'Finding')),
  IssuesService_ListIssueGroups: (scene) => three(() => makeFindingOfRule(scene, fresh('rule-'))),
  InboxService_ListReview: (scene) => three(async () => makeNews(scene, await makeFinding(scene))),
  InboxService_ListApprovals: (scene) => three(() => make(scene, 'ExceptionRequest')),
  IssuesService_GroupIssues: (scene) => three(() => makeFindingOfRule(scene, fresh('rule-'))),
  SecretsService_ListSecretsPath: (scene) => three(() => makeSecret(scene)),
  NotificationsService_GetNotifications: (scene) => three(() => make(scene, 'Notification')),
  PublicIssuesService_SearchIssues: (scene) => three(() => make(scene, 'Issue')),
  PublicIssuesService_GetIssueActivityHistory: async ({ world, place }, { path }) => {
    const admin = world.as(issues, (await world.signIn(place.admin)).jwt);
    const issuePath = { deploymentId: place.id, issueId: String(path?.['issueId']) as Id<'Issue'> };
    for (const triageState of ['TRIAGE_STATE_FIXING', 'TRIAGE_STATE_FIXED', 'TRIAGE_STATE_REOPENED'] as const)
      await admin.triageIssue({ path: issuePath, body: { triageState } });
  },
  TeamsService_ListDeploymentTeams: (scene) => three(() => make(scene, 'Team')),
  TeamsService_ListTeamUsers: async ({ world, place }, { path }) => {
    const people = await three(() => world.member(place));
    const seats = people.map(({ id }) => ({ account: id, role: 'TEAM_ROLE_MEMBER' }));
    await world.in(place, (tx) => members.seat(tx, { deployment: place.id, team: String(path?.['teamId']) }, seats));
  },
  TeamsService_ListTeamRepos: async ({ world, place }, { path }) => {
    const projects = await three(() => world.project(place));
    await world.in(place, (tx) =>
      members.assign(tx, { deployment: place.id, team: String(path?.['teamId']) }, projects),
    );
  },
  TeamsService_ListTeamChildTeams: ({ world, place }, { path }) =>
    three(() =>
      world.in(place, (tx) =>
        teams.insert(tx, { deployment: place.id, name: fresh('Child '), parent: String(path?.['teamId']) }),
      ),
    ),
  SupplyChain2Service_ListLockfilesForDependencies: fillLockfiles,
  SupplyChainService_ListLockfilesForDependencies: fillLockfiles,
  AutomationsService_ListAutomationsV2: (scene) => three(() => make(scene, 'Automation')),
  PoliciesService_ListPolicyRules: (scene, { path }) => makeRules(scene, String(path?.['policyId'])),
  PoliciesService_ListPolicyRulesV1: (scene, { path }) => makeRules(scene, String(path?.['policyId'])),
  ProjectsService_ListProjects: (scene) => three(() => make(scene, 'Project')),
  ProjectsService_SearchRepos: (scene) => three(() => make(scene, 'Project')),
  V1ProjectsService_ListProjects: (scene) => three(() => make(scene, 'Project')),
  ScansService_ListScans: (scene, { path }) => three(() => makeScan(scene, String(path?.['projectId']))),
  V1ScansService_SearchScans: (scene) => three(() => make(scene, 'Scan')),
  TokenService_ListTokens: (scene) => three(() => make(scene, 'Token')),
};

/** Three lockfiles of the project that an example names. */
async function fillLockfiles({ world, place }: Scene, { path }: ExampleCall): Promise<void> {
  const rows = ['a/package-lock.json', 'b/package-lock.json', 'c/package-lock.json'].map((file) => ({
    path: file,
    package: 'left-pad',
    version: '1.3.0',
  }));
  await plantDependencies(world, place, { project: String(path?.['repositoryId']), rows });
}

const three = <Item>(one: () => Promise<Item>): Promise<Item[]> => Promise.all([one(), one(), one()]);

export async function fill(scene: Scene, { id }: Listed, example: ExampleCall): Promise<void> {
  const filling = FILLINGS[id];
  if (!filling) throw new Error(`Nobody fills the list of ${id}: add it to FILLINGS in test/support/filled-lists.ts.`);
  await filling(scene, example);
}
