import { z } from 'zod';
import { LAST_ADMINISTRATOR } from '#domain/accounts/shape.ts';
import { operation } from '#kernel/contract/operation.ts';
import { id } from '#kernel/contract/proto-fields.ts';
import {
  SCIM_GROUP_QUOTA,
  SCIM_REFUSED,
  SCIM_TAKEN,
  SCIM_USER_QUOTA,
  ScimDocument,
  ScimResource,
  scimDocumentFields,
  scimGroupFields,
  scimText,
  scimUserFields,
} from './scim-shape.ts';

const BODY_LIMIT_BYTES = 8 * 1024 ** 2;

/** SCIM 2.0 (RFC 7643 and 7644): an identity provider provisions people and groups. */

const page = {
  schemas: z.array(z.string()),
  totalResults: z.int(),
  startIndex: z.int(),
  itemsPerPage: z.int(),
  Resources: z.array(ScimResource),
};

const shown = { attributes: scimText(2000).optional(), excludedAttributes: scimText(2000).optional() };
const position = () =>
  z
    .string()
    .regex(/^-?\d{1,9}$/)
    .optional();
const search = { ...shown, filter: scimText(2000).optional(), startIndex: position(), count: position() };

const facts = {
  maturity: 'beta',
  credential: 'any-token',
  deployment: 'credential',
  isExtension: true,
  mediaType: 'application/scim+json',
} as const;
const reads = { ...facts, allow: 'scim:read' } as const;
const writes = { ...facts, allow: 'scim:manage' } as const;
const userPath = { scimUserId: id('ScimUser') };
const groupPath = { scimGroupId: id('ScimGroup') };
const patchBody = {
  schemas: z.array(z.string()).max(20).optional(),
  Operations: z
    .array(z.object({ op: scimText(20), path: scimText(2000).optional(), value: z.unknown().optional() }))
    .min(1)
    .max(1000),
};

export const listScimUsers = operation({
  ...reads,
  route: 'GET /scim/v2/Users',
  summary: 'List provisioned people',
  query: search,
  reply: page,
  faults: [SCIM_REFUSED],
});

export const createScimUser = operation({
  ...writes,
  route: 'POST /scim/v2/Users',
  summary: 'Provision a person',
  description: 'Links the member with this address, or invites the address. Nobody is made a member without accepting.',
  status: 201,
  query: shown,
  body: scimUserFields,
  reply: ScimResource.shape,
  faults: [SCIM_REFUSED, SCIM_TAKEN, SCIM_USER_QUOTA, LAST_ADMINISTRATOR],
});

export const getScimUser = operation({
  ...reads,
  route: 'GET /scim/v2/Users/{scimUserId}',
  summary: 'Get a provisioned person',
  isVersioned: true,
  path: userPath,
  query: shown,
  reply: ScimResource.shape,
});

const userWrite = {
  ...writes,
  isVersioned: true,
  path: userPath,
  query: shown,
  reply: ScimResource.shape,
  faults: [SCIM_REFUSED, SCIM_TAKEN, LAST_ADMINISTRATOR],
} as const;

export const replaceScimUser = operation({
  ...userWrite,
  route: 'PUT /scim/v2/Users/{scimUserId}',
  summary: 'Replace a provisioned person',
  description: 'With `active` false, the membership ends as with a deletion.',
  body: scimUserFields,
});

export const patchScimUser = operation({
  ...userWrite,
  route: 'PATCH /scim/v2/Users/{scimUserId}',
  summary: 'Change a provisioned person',
  body: patchBody,
});

export const deleteScimUser = operation({
  ...writes,
  route: 'DELETE /scim/v2/Users/{scimUserId}',
  summary: 'Deprovision a person',
  description:
    'Ends the membership in this deployment, the sessions and the tokens of the person at once. The account and its ' +
    'memberships elsewhere stay.',
  status: 204,
  path: userPath,
  reply: {},
  faults: [LAST_ADMINISTRATOR],
});

export const listScimGroups = operation({
  ...reads,
  route: 'GET /scim/v2/Groups',
  summary: 'List provisioned groups',
  query: search,
  reply: page,
  faults: [SCIM_REFUSED],
});

export const createScimGroup = operation({
  ...writes,
  route: 'POST /scim/v2/Groups',
  summary: 'Provision a group',
  description: 'Its people become members of the team of this name, which is created if there is none.',
  status: 201,
  bodyLimitBytes: BODY_LIMIT_BYTES,
  query: shown,
  body: scimGroupFields,
  reply: ScimResource.shape,
  faults: [SCIM_REFUSED, SCIM_TAKEN, SCIM_GROUP_QUOTA],
});

export const getScimGroup = operation({
  ...reads,
  route: 'GET /scim/v2/Groups/{scimGroupId}',
  summary: 'Get a provisioned group',
  isVersioned: true,
  path: groupPath,
  query: shown,
  reply: ScimResource.shape,
});

const groupWrite = {
  ...writes,
  isVersioned: true,
  bodyLimitBytes: BODY_LIMIT_BYTES,
  path: groupPath,
  query: shown,
  reply: ScimResource.shape,
  faults: [SCIM_REFUSED, SCIM_TAKEN],
} as const;

export const replaceScimGroup = operation({
  ...groupWrite,
  route: 'PUT /scim/v2/Groups/{scimGroupId}',
  summary: 'Replace a provisioned group',
  body: scimGroupFields,
});

export const patchScimGroup = operation({
  ...groupWrite,
  route: 'PATCH /scim/v2/Groups/{scimGroupId}',
  summary: 'Change a provisioned group',
  body: patchBody,
});

export const deleteScimGroup = operation({
  ...writes,
  route: 'DELETE /scim/v2/Groups/{scimGroupId}',
  summary: 'Delete a provisioned group',
  description: 'Its people leave the team; the team and its projects stay.',
  status: 204,
  path: groupPath,
  reply: {},
});

export const searchScim = operation({
  ...reads,
  route: 'POST /scim/v2/.search',
  summary: 'Search provisioned people and groups',
  body: {
    schemas: z.array(z.string()).max(20).optional(),
    attributes: z.array(scimText(200)).max(50).optional(),
    excludedAttributes: z.array(scimText(200)).max(50).optional(),
    filter: scimText(2000).optional(),
    startIndex: z.int().optional(),
    count: z.int().optional(),
  },
  reply: page,
  faults: [SCIM_REFUSED],
});

const documents = { ...page, Resources: z.array(ScimDocument) };

export const getServiceProviderConfig = operation({
  ...reads,
  route: 'GET /scim/v2/ServiceProviderConfig',
  summary: 'Get the SCIM features of this server',
  reply: scimDocumentFields,
});

export const listScimSchemas = operation({
  ...reads,
  route: 'GET /scim/v2/Schemas',
  summary: 'List SCIM schemas',
  reply: documents,
});

const documentPath = z.string().max(200);

export const getScimSchema = operation({
  ...reads,
  route: 'GET /scim/v2/Schemas/{schemaUrn}',
  summary: 'Get a SCIM schema',
  path: { schemaUrn: documentPath },
  reply: scimDocumentFields,
});

export const listScimResourceTypes = operation({
  ...reads,
  route: 'GET /scim/v2/ResourceTypes',
  summary: 'List SCIM resource types',
  reply: documents,
});

export const getScimResourceType = operation({
  ...reads,
  route: 'GET /scim/v2/ResourceTypes/{resourceType}',
  summary: 'Get a SCIM resource type',
  path: { resourceType: documentPath },
  reply: scimDocumentFields,
});

/** What the examples of the API description show. */
export const exampleIds = {
  ScimUser: '61',
  ScimGroup: '7',
  ScimUserName: 'ada@example.com',
  ScimGroupName: 'Payments',
};
