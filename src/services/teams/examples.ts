import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  explainAccess: (of) => ({
    path: { deploymentId: of('Deployment') },
    query: { userId: of('User'), projectId: of('Project') },
  }),
  checkRbacStatus: (of) => ({ path: { deploymentId: of('Deployment') } }),
  createDeploymentTeam: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: {
      team: {
        name: `Payments ${of('Fresh')}`,
        repositoryIds: [of('Project')],
        users: [{ userId: of('User'), role: 'TEAM_ROLE_MANAGER' }],
        parentTeamId: '0',
      },
    },
  }),
  listDeploymentTeams: (of) => ({ path: { deploymentId: of('Deployment') }, body: { limit: '100', cursor: '' } }),
  getDeploymentTeam: (of) => ({ path: { deploymentId: of('Deployment'), teamId: of('Team') } }),
  updateDeploymentTeam: (of) => ({
    path: { deploymentId: of('Deployment'), teamId: of('Team') },
    body: {
      team: {
        repositories: [{ repositoryId: of('Project'), action: 'UPDATE_ACTION_ADD' }],
        users: [{ userId: of('User'), action: 'UPDATE_ACTION_ADD', role: 'TEAM_ROLE_MEMBER' }],
      },
    },
  }),
  deleteDeploymentTeam: (of) => ({ path: { deploymentId: of('Deployment'), teamId: of('Team') } }),
  listTeamUsers: (of) => ({
    path: { deploymentId: of('Deployment'), teamId: of('Team') },
    query: { limit: '100', cursor: '' },
  }),
  listTeamRepos: (of) => ({
    path: { deploymentId: of('Deployment'), teamId: of('Team') },
    query: { limit: '100', cursor: '' },
  }),
  listTeamChildTeams: (of) => ({
    path: { deploymentId: of('Deployment'), teamId: of('Team') },
    query: { limit: '100', cursor: '' },
  }),
};
