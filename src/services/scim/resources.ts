import { GROUP_SCHEMA, MAX_RESULTS, USER_SCHEMA } from './discovery-documents.ts';
import { type Json, matches, memberOf, parseFilter, type ScimFilter } from './filter.ts';
import type { StoredGroup } from './group-store.ts';
import type { ScimResource } from './scim-shape.ts';
import type { StoredUser } from './user-store.ts';

const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

const withoutEmpty = (resource: Json): Json =>
  Object.fromEntries(Object.entries(resource).filter(([, value]) => value !== undefined && value !== null));

const metaOf = (base: string, resourceType: 'User' | 'Group', stored: StoredUser | StoredGroup) => ({
  resourceType,
  created: stored.created_at.toISOString(),
  lastModified: stored.updated_at.toISOString(),
  location: `${base}/${resourceType}s/${stored.id}`,
  version: `"${stored.version}"`,
});

/** A person as SCIM shows them. */
export const userResource = (base: string, user: StoredUser): ScimResource =>
  withoutEmpty({
    schemas: [USER_SCHEMA],
    id: user.id,
    externalId: user.external_id,
    userName: user.user_name,
    ...user.data,
    groups:
      user.groups.length === 0
        ? undefined
        : user.groups.map(({ id, name }) => ({
            value: id,
            $ref: `${base}/Groups/${id}`,
            display: name,
            type: 'direct',
          })),
    meta: metaOf(base, 'User', user),
  }) as unknown as ScimResource;

/** A group as SCIM shows it. */
export const groupResource = (base: string, group: StoredGroup): ScimResource =>
  withoutEmpty({
    schemas: [GROUP_SCHEMA],
    id: group.id,
    externalId: group.external_id,
    displayName: group.display_name,
    members:
      group.members.length === 0 ? undefined : group.members.map((id) => ({ value: id, $ref: `${base}/Users/${id}` })),
    meta: metaOf(base, 'Group', group),
  }) as unknown as ScimResource;

export interface ShownAttributes {
  attributes?: string | readonly string[] | undefined;
  excludedAttributes?: string | readonly string[] | undefined;
}

const namesOf = (list: string | readonly string[] | undefined): string[] =>
  (typeof list === 'string' ? list.split(',') : (list ?? []))
    .map((name) => name.trim().replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i, ''))
    .filter((name) => name !== '');

const ALWAYS = new Set(['schemas', 'id']);

function pickPart(value: unknown, subs: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => pickPart(one, subs));
  return Object.fromEntries(
    subs.flatMap((sub) => {
      const part = memberOf(value, sub);
      return part === undefined ? [] : [[sub, part]];
    }),
  );
}

/** The attributes of a resource that the request asks for; the id is always among them. */
export function shownOf(resource: ScimResource, shown: ShownAttributes): ScimResource {
  const [wanted, excluded] = [namesOf(shown.attributes), namesOf(shown.excludedAttributes)];
  const entries = Object.entries(resource).flatMap(([name, value]): [string, unknown][] => {
    if (ALWAYS.has(name)) return [[name, value]];
    const isNamed = (path: string) => path.toLowerCase() === name.toLowerCase();
    if (wanted.length === 0) return excluded.some(isNamed) ? [] : [[name, value]];
    if (wanted.some(isNamed)) return [[name, value]];
    const subs = wanted.flatMap((path) => {
      const [first = '', sub] = path.split('.');
      return sub !== undefined && isNamed(first) ? [sub] : [];
    });
    return subs.length === 0 ? [] : [[name, pickPart(value, subs)]];
  });
  return Object.fromEntries(entries) as ScimResource;
}

/** The filter of a request. Throws FilterError. */
export const filterOf = (text: string | undefined): ScimFilter | undefined =>
  text === undefined || text.trim() === '' ? undefined : parseFilter(text);

interface PageRequest extends ShownAttributes {
  filter: ScimFilter | undefined;
  startIndex?: string | number | undefined;
  count?: string | number | undefined;
}

/** One page of the resources that meet the filter. */
export function pageOf(resources: readonly ScimResource[], request: PageRequest) {
  const { filter } = request;
  const found = filter ? resources.filter((resource) => matches(filter, resource)) : resources;
  const startIndex = Math.max(1, Number(request.startIndex ?? 1));
  const count = Math.min(MAX_RESULTS, Math.max(0, Number(request.count ?? MAX_RESULTS)));
  const page = found.slice(startIndex - 1, startIndex - 1 + count);
  return {
    schemas: [LIST_SCHEMA],
    totalResults: found.length,
    startIndex,
    itemsPerPage: page.length,
    Resources: page.map((resource) => shownOf(resource, request)),
  };
}
