import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';
import type * as settingsContract from './settings-contract.ts';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];

const userBody = (userName: string) => ({
  schemas: [USER],
  userName,
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [{ value: userName, type: 'work', primary: true }],
  active: true,
});

export const examples: Examples<typeof contract> = {
  listScimUsers: () => ({ query: { filter: 'userName eq "ada@example.com"', startIndex: '1', count: '100' } }),
  createScimUser: (of) => ({ body: userBody(of('ScimUserName')) }),
  getScimUser: (of) => ({ path: { scimUserId: of('ScimUser') } }),
  replaceScimUser: (of) => ({ path: { scimUserId: of('ScimUser') }, body: userBody(of('ScimUserName')) }),
  patchScimUser: (of) => ({
    path: { scimUserId: of('ScimUser') },
    body: { schemas: PATCH, Operations: [{ op: 'replace', path: 'active', value: false }] },
  }),
  deleteScimUser: (of) => ({ path: { scimUserId: of('ScimUser') } }),
  listScimGroups: () => ({ query: { filter: 'displayName sw "P"', attributes: 'displayName' } }),
  createScimGroup: (of) => ({
    body: { schemas: [GROUP], displayName: of('ScimGroupName'), externalId: '9f1c' },
  }),
  getScimGroup: (of) => ({ path: { scimGroupId: of('ScimGroup') } }),
  replaceScimGroup: (of) => ({
    path: { scimGroupId: of('ScimGroup') },
    body: { schemas: [GROUP], displayName: of('ScimGroupName') },
  }),
  patchScimGroup: (of) => ({
    path: { scimGroupId: of('ScimGroup') },
    body: { schemas: PATCH, Operations: [{ op: 'add', path: 'members', value: [{ value: of('ScimUser') }] }] },
  }),
  deleteScimGroup: (of) => ({ path: { scimGroupId: of('ScimGroup') } }),
  searchScim: () => ({ body: { filter: 'userName sw "a"', count: 10 } }),
  getServiceProviderConfig: () => ({}),
  listScimSchemas: () => ({}),
  getScimSchema: () => ({ path: { schemaUrn: USER } }),
  listScimResourceTypes: () => ({}),
  getScimResourceType: () => ({ path: { resourceType: 'User' } }),
};

export const settingsExamples: Examples<typeof settingsContract> = {
  getScimSettings: (of) => ({ path: { deploymentId: of('Deployment') } }),
  createScimToken: (of) => ({ path: { deploymentId: of('Deployment') }, body: {} }),
  deleteScimToken: (of) => ({ path: { deploymentId: of('Deployment') } }),
};
