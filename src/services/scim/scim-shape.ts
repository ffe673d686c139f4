import { z } from 'zod';
import { fault } from '#kernel/contract/fault.ts';
import { id } from '#kernel/contract/proto-fields.ts';

export const MAX_SCIM_USERS = 20_000;
export const MAX_SCIM_GROUPS = 500;
const MAX_GROUP_MEMBERS = 20_000;

export const SCIM_REFUSED = fault(
  'SCIM_REFUSED',
  400,
  'The SCIM request cannot be carried out: {reason}.',
  'Correct the request; `scimType` says what is wrong with it. Nothing was changed.',
);
export const SCIM_TAKEN = fault(
  'SCIM_TAKEN',
  409,
  'Another resource has this {attribute}.',
  'Use the existing resource, or choose another value.',
);
export const SCIM_USER_QUOTA = fault(
  'SCIM_USER_QUOTA',
  409,
  'At most {most} people can be provisioned.',
  'Delete people who have left.',
);
export const SCIM_GROUP_QUOTA = fault(
  'SCIM_GROUP_QUOTA',
  409,
  'At most {most} groups can be provisioned.',
  'Provision only the groups that need a team.',
);

/** A boolean; some identity providers send it as text. */
const flag = () => z.union([z.boolean(), z.enum(['True', 'False', 'true', 'false'])]);
export const scimText = (max = 512) => z.string().max(max);
const nullable = <Schema extends z.ZodType>(schema: Schema) => schema.nullish();

export const ScimName = z.object({
  formatted: nullable(scimText()),
  familyName: nullable(scimText()),
  givenName: nullable(scimText()),
});
export const ScimEmail = z.object({
  value: scimText(320),
  display: nullable(scimText()),
  type: nullable(scimText(64)),
  primary: nullable(flag()),
});
export const scimUserFields = {
  schemas: z.array(z.string()).max(20).optional(),
  userName: scimText(320).min(1),
  externalId: nullable(scimText()),
  name: nullable(ScimName),
  displayName: nullable(scimText()),
  title: nullable(scimText()),
  active: nullable(flag()),
  emails: nullable(z.array(ScimEmail).max(20)),
};
export const ScimUserInput = z.object(scimUserFields);
export type ScimUserInput = z.output<typeof ScimUserInput>;

export const ScimMember = z.object({
  value: id('ScimUser'),
  display: nullable(scimText()),
  type: nullable(scimText(64)),
});
export const scimGroupFields = {
  schemas: z.array(z.string()).max(20).optional(),
  displayName: scimText(128).min(1),
  externalId: nullable(scimText()),
  members: nullable(z.array(ScimMember).max(MAX_GROUP_MEMBERS)),
};
export const ScimGroupInput = z.object(scimGroupFields);
export type ScimGroupInput = z.output<typeof ScimGroupInput>;

const meta = z.object({
  resourceType: z.string(),
  created: z.string().optional(),
  lastModified: z.string().optional(),
  location: z.string(),
  version: z.string().optional(),
});
/** Has `value`, `$ref` and more; a member named `$ref` would be taken for a reference in the API description. */
const reference = z.record(z.string(), z.string());
const common = { schemas: z.array(z.string()), id: z.string(), externalId: z.string().optional() };

/** A person or a group; `attributes` and `excludedAttributes` decide what it has. */
export const ScimResource = z.object({
  ...common,
  userName: z.string().optional(),
  name: z.record(z.string(), z.string()).optional(),
  displayName: z.string().optional(),
  title: z.string().optional(),
  active: z.boolean().optional(),
  emails: z.array(z.record(z.string(), z.unknown())).optional(),
  groups: z.array(reference).optional(),
  members: z.array(reference).optional(),
  meta: meta.partial().optional(),
});
export type ScimResource = z.output<typeof ScimResource>;

/** A document that describes this service; its members are those of RFC 7643, sections 5 to 7. */
export const scimDocumentFields = {
  schemas: z.array(z.string()),
  id: z.string().optional(),
  name: z.string().optional(),
  description: z.string().optional(),
  endpoint: z.string().optional(),
  schema: z.string().optional(),
  attributes: z.array(z.record(z.string(), z.unknown())).optional(),
  documentationUri: z.string().optional(),
  patch: z.record(z.string(), z.unknown()).optional(),
  bulk: z.record(z.string(), z.unknown()).optional(),
  filter: z.record(z.string(), z.unknown()).optional(),
  changePassword: z.record(z.string(), z.unknown()).optional(),
  sort: z.record(z.string(), z.unknown()).optional(),
  etag: z.record(z.string(), z.unknown()).optional(),
  authenticationSchemes: z.array(z.record(z.string(), z.unknown())).optional(),
  meta: meta.optional(),
};
export const ScimDocument = z.object(scimDocumentFields);
export type ScimDocument = z.output<typeof ScimDocument>;
