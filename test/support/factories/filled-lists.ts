import * as members from '#domain/teams/members.ts';
import * as teams from '#domain/teams/store.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import type { ExampleCall } from '#kernel/http/openapi/example-calls.ts';
import * as issues from '#services/public-issues/contract.ts';
import * as teamRoom from '#services/teams/contract.ts';
import type { ListedOperation } from '../http/operations.ts';
import type { Scenario } from '../world/scenario.ts';
import { uniqueName } from '../world/world.ts';
import { plantDependencies } from './dependencies.ts';
import { makeObject } from './example-objects.ts';
import { makeFinding, makeFindingOfRule, makeSecret } from './findings.ts';
import { assignToAdmin, makeComment, makeFindingNew, makeSavedView } from './inbox.ts';
import { addRules } from './ruleboards.ts';
import { makeScan } from './scans.ts';

/** Puts at least three items into the list of an example, by the id of the operation. */
const FILLINGS: Record<string, (scene: Scenario, example: ExampleCall) => Promise<unknown>> = {
  AuditService_ListAuditRecords: async ({ world, place }) => {
    const admin = world.as(teamRoom, (await world.signIn(place.admin)).jwt);
    const path = { deploymentId: place.id as Id<'Deployment'> };
    await three(() => admin.createDeploymentTeam({ path, body: { team: { name: uniqueName('Team ') } } }));
  },
  AutomationRunsService_ListAutomationRuns: async ({ world, place }, { path }) => {
    await world.queryAsOwner(
      `insert into automation_run (deployment_id, automation_id, automation_version, mode, cause, started_by, at,
         considered) select $1, $2, 1, 'live', 'existing', 'test', now(), 1 from generate_series(1, 3)`,
      [place.id, path?.['automationId']],
    );
  },
  DeliveriesService_ListDeliveries: async (scene) => {
    await three(() => makeObject(scene, 'Delivery'));
    await scene.world.queryAsOwner(`update delivery set state = 'failed' where deployment_id = $1`, [scene.place.id]);
  },
  FindingsService_ListFindings: (scene) => three(() => makeObject(scene, 'Finding')),
  IssuesService_ListIssues: (scene) => three(() => makeObject(scene, 'Finding')),
  IssuesService_ListAllIssues: (scene) => three(() => makeObject(scene, 'Finding')),
  IssuesService_ListIssueGroups: (scene) => three(() => makeFindingOfRule(scene, uniqueName('rule-'))),
  InboxService_ListReview: (scene) => three(async () => makeFindingNew(scene, await makeFinding(scene))),
  InboxService_ListAssigned: (scene) => three(async () => assignToAdmin(scene, await makeFinding(scene))),
  IssuesService_ListIssueComments: (scene, { path }) => three(() => makeComment(scene, String(path?.['issueId']))),
  SavedViewsService_ListSavedViews: (scene) => three(() => makeSavedView(scene)),
  InboxService_ListApprovals: (scene) => three(() => makeObject(scene, 'ExceptionRequest')),
  IssuesService_GroupIssues: (scene) => three(() => makeFindingOfRule(scene, uniqueName('rule-'))),
  SecretsService_ListSecretsPath: (scene) => three(() => makeSecret(scene)),
  InvitationsService_ListInvitations: (scene) => three(() => makeObject(scene, 'Invitation')),
  NotificationsService_GetNotifications: (scene) => three(() => makeObject(scene, 'Notification')),
  PublicIssuesService_SearchIssues: (scene) => three(() => makeObject(scene, 'Issue')),
  PublicIssuesService_GetIssueActivityHistory: async ({ world, place }, { path }) => {
    const admin = world.as(issues, (await world.signIn(place.admin)).jwt);
    const issuePath = { deploymentId: place.id, issueId: String(path?.['issueId']) as Id<'Issue'> };
    for (const triageState of ['TRIAGE_STATE_FIXING', 'TRIAGE_STATE_FIXED', 'TRIAGE_STATE_REOPENED'] as const)
      await admin.triageIssue({ path: issuePath, body: { triageState } });
  },
  ScmService_ListScmConfig: (scene) => three(() => makeObject(scene, 'ScmConfig')),
  ScmService_SearchScmConfig: (scene) => three(() => makeObject(scene, 'ScmConfig')),
  TeamsService_ListDeploymentTeams: (scene) => three(() => makeObject(scene, 'Team')),
  TeamsService_ListTeamUsers: async ({ world, place }, { path }) => {
    const people = await three(() => world.member(place));
    const memberships = people.map(({ id }) => ({ account: id, role: 'TEAM_ROLE_MEMBER' }));
    await world.inDeployment(place, (tx) =>
      members.addMembers(tx, { deployment: place.id, team: String(path?.['teamId']) }, memberships),
    );
  },
  TeamsService_ListTeamRepos: async ({ world, place }, { path }) => {
    const projects = await three(() => world.project(place));
    await world.inDeployment(place, (tx) =>
      members.addProjects(tx, { deployment: place.id, team: String(path?.['teamId']) }, projects),
    );
  },
  TeamsService_ListTeamChildTeams: ({ world, place }, { path }) =>
    three(() =>
      world.inDeployment(place, (tx) =>
        teams.insert(tx, { deployment: place.id, name: uniqueName('Child '), parent: String(path?.['teamId']) }),
      ),
    ),
  SupplyChain2Service_ListLockfilesForDependencies: fillLockfiles,
  SupplyChainService_ListLockfilesForDependencies: fillLockfiles,
  AutomationsService_ListAutomationsV2: (scene) => three(() => makeObject(scene, 'Automation')),
  PoliciesService_ListPolicyRules: (scene, { path }) => addRules(scene, String(path?.['policyId'])),
  PoliciesService_ListPolicyRulesV1: (scene, { path }) => addRules(scene, String(path?.['policyId'])),
  ProjectsService_ListProjects: (scene) => three(() => makeObject(scene, 'Project')),
  ProjectsService_SearchRepos: (scene) => three(() => makeObject(scene, 'Project')),
  V1ProjectsService_ListProjects: (scene) => three(() => makeObject(scene, 'Project')),
  ScansService_ListScans: (scene, { path }) => three(() => makeScan(scene, String(path?.['projectId']))),
  V1ScansService_SearchScans: (scene) => three(() => makeObject(scene, 'Scan')),
  TokenService_ListTokens: (scene) => three(() => makeObject(scene, 'Token')),
};

/** Three lockfiles of the project that an example names. */
async function fillLockfiles({ world, place }: Scenario, { path }: ExampleCall): Promise<void> {
  const rows = ['a/package-lock.json', 'b/package-lock.json', 'c/package-lock.json'].map((file) => ({
    path: file,
    package: 'left-pad',
    version: '1.3.0',
  }));
  await plantDependencies(world, place, { project: String(path?.['repositoryId']), rows });
}

const three = <Item>(one: () => Promise<Item>): Promise<Item[]> => Promise.all([one(), one(), one()]);

export async function fillList(scene: Scenario, { id }: ListedOperation, example: ExampleCall): Promise<void> {
  const filling = FILLINGS[id];
  if (!filling)
    throw new Error(
      `No factory fills the list of ${id}: add it to FILLINGS in test/support/factories/filled-lists.ts.`,
    );
  await filling(scene, example);
}
