import { isDeepStrictEqual } from 'node:util';
import { attributePath, FilterError, type Json, matches, parseFilter, type ScimFilter } from './filter.ts';

/** Changes of resources by RFC 7644, section 3.5.2. */

interface AttributeKind {
  isMulti?: boolean;
  sub?: readonly string[];
}

/** The attributes that can be changed, with their parts. */
export type PatchableAttributes = Readonly<Record<string, AttributeKind>>;

export interface PatchOperation {
  op: string;
  path?: string | undefined;
  value?: unknown;
}

/** A change that cannot be made; `scimType` is that of the RFC. */
export class PatchError extends Error {
  override readonly name = 'PatchError';
  readonly scimType: string;

  constructor(scimType: string, message: string) {
    super(message);
    this.scimType = scimType;
  }
}

interface Target {
  name: string;
  kind: AttributeKind;
  filter: ScimFilter | undefined;
  sub: string | undefined;
}

const READ_ONLY = new Set(['id', 'meta', 'schemas', 'groups']);
/** Attributes of the core schema that this server does not keep: changes of them are ignored, as in a PUT. */
const IGNORED = new RegExp(
  [
    '^(?:urn:ietf:params:scim:schemas:extension:|addresses|phoneNumbers|photos|ims|entitlements|roles|nickName)',
    '^(?:x509Certificates|profileUrl|userType|preferredLanguage|locale|timezone|password)',
  ].join('|'),
  'i',
);
const PATH = /^([^[\]]+?)(?:\[(.*)\](?:\.([A-Za-z$][\w$-]*))?)?$/s;

/** The attribute that a path names; undefined for one that is ignored. */
function targetOf(attributes: PatchableAttributes, path: string): Target | undefined {
  try {
    const [, attribute = '', filter, subOfValue] = PATH.exec(path.trim()) ?? [];
    if (IGNORED.test(attribute)) return undefined;
    const [first = '', subOfName] = attributePath(attribute).split('.');
    if (READ_ONLY.has(first)) throw new PatchError('mutability', `${first} cannot be changed`);
    const name = Object.keys(attributes).find((one) => one.toLowerCase() === first.toLowerCase());
    const kind = name === undefined ? undefined : attributes[name];
    if (name === undefined || !kind) throw new PatchError('invalidPath', `there is no attribute ${path.slice(0, 100)}`);
    const wanted = subOfValue ?? subOfName;
    const sub = wanted && kind.sub?.find((one) => one.toLowerCase() === wanted.toLowerCase());
    if (wanted !== undefined && sub === undefined)
      throw new PatchError('invalidPath', `${name} has no part ${wanted.slice(0, 100)}`);
    return { name, kind, filter: filter === undefined ? undefined : parseFilter(filter), sub };
  } catch (error) {
    if (error instanceof FilterError) throw new PatchError('invalidPath', error.message);
    throw error;
  }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Adds values that are not there yet; a new primary value replaces the old one. */
function addValues(existing: unknown[], added: unknown[]): unknown[] {
  const isNew = (value: unknown) => !existing.some((one) => isDeepStrictEqual(one, value));
  const fresh = added.filter(isNew);
  const hasPrimary = fresh.some((value) => isObject(value) && value['primary'] === true);
  const kept = hasPrimary
    ? existing.map((one) => (isObject(one) && one['primary'] === true ? { ...one, primary: false } : one))
    : existing;
  const byValue = (value: unknown) => (isObject(value) ? value['value'] : value);
  const names = new Set<unknown>(fresh.map(byValue).filter((value) => value !== undefined));
  return [...kept.filter((one) => !names.has(byValue(one))), ...fresh];
}

/** The values that equality conditions of a filter name, for a new value that meets it. */
function namedBy(filter: ScimFilter): Json {
  if (filter.kind === 'and') return Object.assign({}, ...filter.parts.map(namedBy));
  return filter.kind === 'compare' && filter.operator === 'eq' ? { [filter.path]: filter.value } : {};
}

function setInValues(resource: Json, { name, filter, sub }: Target, { op, value }: PatchOperation): void {
  const values = listOf(resource[name]);
  const isTarget = (one: unknown) => filter === undefined || matches(filter, one);
  if (!values.some(isTarget)) {
    if (op === 'replace' || !filter) throw new PatchError('noTarget', `no value of ${name} meets the filter`);
    values.push(namedBy(filter));
  }
  resource[name] = values.map((one) => {
    if (!isTarget(one) || !isObject(one)) return one;
    return sub === undefined ? { ...one, ...(isObject(value) ? value : {}) } : { ...one, [sub]: value };
  });
}

function set(resource: Json, target: Target, operation: PatchOperation): void {
  const { name, kind, filter, sub } = target;
  const { value, op } = operation;
  if (value === undefined) throw new PatchError('invalidValue', `${op} needs a value`);
  if (kind.isMulti && (filter !== undefined || sub !== undefined)) setInValues(resource, target, operation);
  else if (kind.isMulti)
    resource[name] = op === 'add' ? addValues(listOf(resource[name]), listOf(value)) : listOf(value);
  else if (sub !== undefined) resource[name] = { ...(isObject(resource[name]) ? resource[name] : {}), [sub]: value };
  else if (kind.sub && op === 'add' && isObject(value))
    resource[name] = { ...(isObject(resource[name]) ? resource[name] : {}), ...value };
  else resource[name] = value;
}

function remove(resource: Json, { name, kind, filter, sub }: Target, { value }: PatchOperation): void {
  const found = resource[name];
  if (found === undefined) return;
  if (!kind.isMulti) {
    if (sub !== undefined && isObject(found)) delete found[sub];
    else delete resource[name];
    return;
  }
  // Some identity providers name the values to remove in `value` instead of a filter.
  const named = new Set(listOf(value).map((one) => (isObject(one) ? one['value'] : one)));
  const isTarget = (one: unknown) =>
    filter ? matches(filter, one) : named.size === 0 || (isObject(one) && named.has(one['value']));
  const rest = listOf(found).flatMap((one) => {
    if (!isTarget(one)) return [one];
    if (sub === undefined || !isObject(one)) return [];
    const { [sub]: _, ...other } = one;
    return [other];
  });
  if (rest.length === 0) delete resource[name];
  else resource[name] = rest;
}

/** The resource after all operations; the given one is not changed. */
export function applyPatch(before: Json, operations: readonly PatchOperation[], attributes: PatchableAttributes): Json {
  const resource = structuredClone(before);
  for (const { path, ...given } of operations) {
    const operation = { ...given, op: given.op.toLowerCase() };
    if (!['add', 'replace', 'remove'].includes(operation.op))
      throw new PatchError('invalidSyntax', `${operation.op.slice(0, 50)} is not an operation`);
    if (path !== undefined) {
      const target = targetOf(attributes, path);
      if (target && operation.op === 'remove') remove(resource, target, operation);
      else if (target) set(resource, target, operation);
      continue;
    }
    if (operation.op === 'remove') throw new PatchError('noTarget', 'remove needs a path');
    if (!isObject(operation.value)) throw new PatchError('invalidValue', 'without a path the value is an object');
    for (const [name, value] of Object.entries(operation.value)) {
      const target = READ_ONLY.has(name) ? undefined : targetOf(attributes, name);
      if (target) set(resource, target, { ...operation, value });
    }
  }
  return resource;
}
