import type { ScimDocument } from './scim-shape.ts';

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const CORE = 'urn:ietf:params:scim:schemas:core:2.0';

interface AttributeFacts {
  type?: string;
  multiValued?: boolean;
  required?: boolean;
  caseExact?: boolean;
  mutability?: string;
  uniqueness?: string;
  referenceTypes?: string[];
  subAttributes?: Record<string, unknown>[];
}

const attribute = (name: string, description: string, facts: AttributeFacts = {}) => ({
  name,
  description,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...facts,
});

const NAME = attribute('name', 'The parts of the name of the person.', {
  type: 'complex',
  subAttributes: [
    attribute('formatted', 'The whole name.'),
    attribute('familyName', 'The family name.'),
    attribute('givenName', 'The given name.'),
  ],
});
const EMAILS = attribute('emails', 'The addresses of the person; the primary one is invited.', {
  type: 'complex',
  multiValued: true,
  subAttributes: [
    attribute('value', 'The address.', { required: true }),
    attribute('display', 'The address as it is shown.'),
    attribute('type', 'Such as work or home.'),
    attribute('primary', 'True for the address that is used.', { type: 'boolean' }),
  ],
});

const referencesTo = (resource: string, mutability: string) => [
  attribute('value', `The id of the ${resource}.`, {
    caseExact: true,
    mutability,
    required: mutability === 'immutable',
  }),
  attribute('$ref', `The address of the ${resource}.`, {
    type: 'reference',
    caseExact: true,
    mutability,
    referenceTypes: [resource],
  }),
];

const EXTERNAL_ID = attribute('externalId', 'The id at the identity provider.', { caseExact: true });

const SCHEMAS = [
  {
    id: USER_SCHEMA,
    name: 'User',
    description: 'A person',
    attributes: [
      attribute('userName', 'The name by which the identity provider knows the person.', {
        required: true,
        uniqueness: 'server',
      }),
      EXTERNAL_ID,
      NAME,
      attribute('displayName', 'The name that is shown.'),
      attribute('title', 'The title of the person.'),
      attribute('active', 'False ends the membership of the person.', { type: 'boolean' }),
      EMAILS,
      attribute('groups', 'The groups of the person.', {
        type: 'complex',
        multiValued: true,
        mutability: 'readOnly',
        subAttributes: [
          ...referencesTo('Group', 'readOnly'),
          attribute('display', 'The name of the group.', { mutability: 'readOnly' }),
          attribute('type', 'Always direct.', { mutability: 'readOnly' }),
        ],
      }),
    ],
  },
  {
    id: GROUP_SCHEMA,
    name: 'Group',
    description: 'A group of people, who are in one team',
    attributes: [
      attribute('displayName', 'The name of the group and of its team.', { required: true, uniqueness: 'server' }),
      EXTERNAL_ID,
      attribute('members', 'The people of the group.', {
        type: 'complex',
        multiValued: true,
        subAttributes: referencesTo('User', 'immutable'),
      }),
    ],
  },
];

const metaOf = (base: string, resourceType: string, path: string) => ({
  resourceType,
  location: `${base}/${path}`,
});

export const schemaDocuments = (base: string): ScimDocument[] =>
  SCHEMAS.map((schema) => ({
    schemas: [`${CORE}:Schema`],
    ...schema,
    meta: metaOf(base, 'Schema', `Schemas/${schema.id}`),
  }));

export const resourceTypeDocuments = (base: string): ScimDocument[] =>
  SCHEMAS.map(({ id, name, description }) => ({
    schemas: [`${CORE}:ResourceType`],
    id: name,
    name,
    description,
    endpoint: `/${name}s`,
    schema: id,
    meta: metaOf(base, 'ResourceType', `ResourceTypes/${name}`),
  }));

export const MAX_RESULTS = 1000;

export const serviceProviderConfig = (base: string): ScimDocument => ({
  schemas: [`${CORE}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_RESULTS },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The token that an administrator creates under Settings, Provisioning.',
      primary: true,
    },
  ],
  meta: metaOf(base, 'ServiceProviderConfig', 'ServiceProviderConfig'),
});
