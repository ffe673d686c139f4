import type { SchemaNode, SchemaReader } from './api-schema.ts';

/** The API description, as the page about it reads it. */

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: SchemaNode;
  example?: unknown;
}

interface Media {
  schema?: SchemaNode;
  example?: unknown;
}

interface Answer {
  description?: string;
  headers?: Record<string, { description?: string }>;
  content?: Record<string, Media>;
}

export interface DescribedOperation {
  operationId: string;
  tags?: string[];
  summary?: string;
  description?: string;
  deprecated?: boolean;
  'x-maturity'?: string;
  'x-permission'?: string;
  'x-codes'?: string[];
  'x-extension'?: boolean;
  'x-strict'?: boolean;
  security?: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: { content?: Record<string, Media> };
  responses?: Record<string, Answer>;
}

export interface ApiReference {
  info: { title: string; version: string; summary?: string };
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, DescribedOperation>>;
  components?: {
    securitySchemes?: Record<string, { description?: string }>;
    'x-codes'?: Record<string, { status: number; sentence: string }>;
  };
}

/** One operation with its place in the document. */
export interface ApiEntry {
  method: string;
  path: string;
  described: DescribedOperation;
}

export interface ApiSection {
  name: string;
  purpose: string;
  entries: ApiEntry[];
}

/** The operations of each tag, in the order of the tags. */
export function groupsOf({ paths, tags = [] }: ApiReference, schemas: SchemaReader): ApiSection[] {
  const groups = new Map(tags.map(({ name, description = '' }) => [name, sectionOf(name, description)]));
  for (const [path, methods] of Object.entries(paths))
    for (const [method, described] of Object.entries(methods)) {
      const name = described.tags?.[0] ?? 'Other';
      const group = groups.get(name) ?? sectionOf(name, '');
      group.entries.push({ method: method.toUpperCase(), path, described: withoutReferences(described, schemas) });
      groups.set(name, group);
    }
  return [...groups.values()].filter(({ entries }) => entries.length > 0);
}

/** An operation with the parameters and answers that it shares with others. */
const withoutReferences = (described: DescribedOperation, schemas: SchemaReader): DescribedOperation => ({
  ...described,
  parameters: (described.parameters ?? []).map((parameter) => schemas.resolve(parameter)),
  responses: Object.fromEntries(
    Object.entries(described.responses ?? {}).map(([status, answer]) => [status, schemas.resolve(answer)]),
  ),
});

const sectionOf = (name: string, purpose: string): ApiSection => ({ name, purpose, entries: [] });
