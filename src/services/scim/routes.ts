import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';
import { resourceTypeDocuments, schemaDocuments, serviceProviderConfig } from './discovery-documents.ts';
import { FilterError, knownValues, type ScimFilter } from './filter.ts';
import * as groupStore from './group-store.ts';
import { changeGroup, createGroup, removeGroup } from './provision-groups.ts';
import { changeUser, createUser, removeUser } from './provision-users.ts';
import { filterOf, groupResource, pageOf, shownOf, userResource } from './resources.ts';
import { SCIM_REFUSED, type ScimDocument, type ScimUserInput } from './scim-shape.ts';
import * as userStore from './user-store.ts';

const baseOf = ({ services }: Pick<Call, 'services'>) => `${services.baseUrl}/scim/v2`;

function readFilter(text: string | undefined): ScimFilter | undefined {
  try {
    return filterOf(text);
  } catch (error) {
    if (error instanceof FilterError)
      throw SCIM_REFUSED({ reason: error.message }, { members: { scimType: 'invalidFilter' } });
    throw error;
  }
}

const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

const listOf = (documents: ScimDocument[]) => ({
  schemas: [LIST_SCHEMA],
  totalResults: documents.length,
  startIndex: 1,
  itemsPerPage: documents.length,
  Resources: documents,
});

function documentOf(documents: ScimDocument[], id: string): ScimDocument {
  const found = documents.find((one) => one.id?.toLowerCase() === id.toLowerCase());
  if (!found) throw NOT_FOUND();
  return found;
}

/** A person without `active` is active. */
const replacing = (body: ScimUserInput) => ({ ...body, active: body.active ?? true });

const usersOf = async (tx: Tx, call: Pick<Call, 'caller' | 'services'>, filter: ScimFilter | undefined) =>
  (await userStore.list(tx, call.caller.deployment, knownValues(filter))).map((user) =>
    userResource(baseOf(call), user),
  );

const groupsOf = async (tx: Tx, call: Pick<Call, 'caller' | 'services'>, filter: ScimFilter | undefined) =>
  (await groupStore.list(tx, call.caller.deployment, knownValues(filter))).map((one) =>
    groupResource(baseOf(call), one),
  );

/** ScimService: people and groups, provisioned by an identity provider. */
export const scim = group(
  'ScimService',
  contract,
  {
    listScimUsers: async (call) => {
      const filter = readFilter(call.query.filter);
      return pageOf(await usersOf(call.tx, call, filter), { ...call.query, filter });
    },

    createScimUser: async (call) => {
      const resource = userResource(baseOf(call), await createUser(call, call.body));
      call.answer.headers['location'] = `${baseOf(call)}/Users/${resource.id}`;
      return shownOf(resource, call.query);
    },

    getScimUser: async (call) => {
      const { tx, caller, path, query, answer } = call;
      const found = await userStore.find(tx, { deployment: caller.deployment, id: path.scimUserId });
      if (!found) throw NOT_FOUND();
      answer.setEtag(found.version);
      return shownOf(userResource(baseOf(call), found), query);
    },

    replaceScimUser: async (call) =>
      shownOf(
        userResource(baseOf(call), await changeUser(call, call.path.scimUserId, () => replacing(call.body))),
        call.query,
      ),

    patchScimUser: async (call) =>
      shownOf(
        userResource(baseOf(call), await changeUser(call, call.path.scimUserId, call.body.Operations)),
        call.query,
      ),

    deleteScimUser: async (call) => {
      await removeUser(call, call.path.scimUserId);
      return {};
    },

    listScimGroups: async (call) => {
      const filter = readFilter(call.query.filter);
      return pageOf(await groupsOf(call.tx, call, filter), { ...call.query, filter });
    },

    createScimGroup: async (call) => {
      const resource = groupResource(baseOf(call), await createGroup(call, call.body));
      call.answer.headers['location'] = `${baseOf(call)}/Groups/${resource.id}`;
      return shownOf(resource, call.query);
    },

    getScimGroup: async (call) => {
      const { tx, caller, path, query, answer } = call;
      const found = await groupStore.find(tx, { deployment: caller.deployment, id: path.scimGroupId });
      if (!found) throw NOT_FOUND();
      answer.setEtag(found.version);
      return shownOf(groupResource(baseOf(call), found), query);
    },

    replaceScimGroup: async (call) =>
      shownOf(groupResource(baseOf(call), await changeGroup(call, call.path.scimGroupId, () => call.body)), call.query),

    patchScimGroup: async (call) =>
      shownOf(
        groupResource(baseOf(call), await changeGroup(call, call.path.scimGroupId, call.body.Operations)),
        call.query,
      ),

    deleteScimGroup: async (call) => {
      await removeGroup(call, call.path.scimGroupId);
      return {};
    },

    searchScim: async (call) => {
      const filter = readFilter(call.body.filter);
      const resources = [...(await usersOf(call.tx, call, filter)), ...(await groupsOf(call.tx, call, filter))];
      return pageOf(resources, { ...call.body, filter });
    },

    getServiceProviderConfig: async (call) => serviceProviderConfig(baseOf(call)),

    listScimSchemas: async (call) => listOf(schemaDocuments(baseOf(call))),

    getScimSchema: async (call) => documentOf(schemaDocuments(baseOf(call)), call.path.schemaUrn),

    listScimResourceTypes: async (call) => listOf(resourceTypeDocuments(baseOf(call))),

    getScimResourceType: async (call) => documentOf(resourceTypeDocuments(baseOf(call)), call.path.resourceType),
  },
  {
    objects: {
      scimUserId: async (tx, { deployment, id }) =>
        (await userStore.find(tx, { deployment, id })) ? new Set<string>() : undefined,
      scimGroupId: async (tx, { deployment, id }) =>
        (await groupStore.find(tx, { deployment, id })) ? new Set<string>() : undefined,
    },
  },
);
