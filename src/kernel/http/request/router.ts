import { type PathSegment, pathSegmentsOf } from '#kernel/http/request/path-segments.ts';
import { parseTemplate, type TemplatePart } from '#kernel/http/request/route-template.ts';

export type Route<T> = { method: string; template: string; target: T };

export type RouteMatch<T> =
  | { kind: 'found'; target: T; params: Record<string, string> }
  | { kind: 'method'; allow: string[] }
  | { kind: 'none' };

type Endpoint<T> = { route: Route<T>; names: string[] };

type Search<T> = { method: string; segments: PathSegment[]; values: string[]; allow: Set<string>; found?: Endpoint<T> };

const NONE = { kind: 'none' } as const;
const METHOD = /^[A-Z]+$/;

class RouteNode<T> {
  readonly literals = new Map<string, RouteNode<T>>();
  readonly suffixes = new Map<string, RouteNode<T>>();
  readonly endpoints = new Map<string, Endpoint<T>>();
  /** The number of parts on the longest path from here to an endpoint. */
  height = 0;
  parameter: RouteNode<T> | undefined;
  rest: RouteNode<T> | undefined;

  child(part: TemplatePart): RouteNode<T> {
    switch (part.kind) {
      case 'literal':
        return childIn(this.literals, part.text);
      case 'suffixed':
        return childIn(this.suffixes, part.suffix);
      case 'parameter':
        this.parameter ??= new RouteNode();
        return this.parameter;
      case 'rest':
        this.rest ??= new RouteNode();
        return this.rest;
    }
  }
}

function childIn<T>(children: Map<string, RouteNode<T>>, text: string): RouteNode<T> {
  const child = children.get(text) ?? new RouteNode<T>();
  children.set(text, child);
  return child;
}

/**
 * Finds the most specific route for a method and path; for a path that exists only with other methods, it lists them.
 */
export class Router<T> {
  readonly #root = new RouteNode<T>();
  readonly #routes: Route<T>[] = [];

  add(method: string, template: string, target: T): void {
    if (!METHOD.test(method) || method === 'HEAD') {
      throw new Error(`A route cannot be added for the method "${method}"; HEAD is served by GET.`);
    }
    const parts = parseTemplate(template);
    let node = this.#root;
    for (const [index, part] of parts.entries()) {
      node = node.child(part);
      node.height = Math.max(node.height, parts.length - 1 - index);
    }
    const existing = node.endpoints.get(method);
    if (existing) throw new Error(`${method} ${template} has the same shape as ${existing.route.template}.`);
    const route = { method, template, target };
    const names = parts.flatMap((part) => (part.kind === 'literal' ? [] : [part.name]));
    node.endpoints.set(method, { route, names });
    this.#routes.push(route);
  }

  routes(): Route<T>[] {
    return this.#routes.map((route) => ({ ...route }));
  }

  find(method: string, pathname: string): RouteMatch<T> {
    const segments = pathSegmentsOf(pathname);
    if (segments === undefined) return NONE;
    const search: Search<T> = { method: method === 'HEAD' ? 'GET' : method, segments, values: [], allow: new Set() };
    if (descend(search, this.#root, 0) && search.found) {
      const { route, names } = search.found;
      const params = Object.fromEntries(names.map((name, index) => [name, search.values[index] ?? '']));
      return { kind: 'found', target: route.target, params };
    }
    if (search.allow.size === 0) return NONE;
    if (search.allow.has('GET')) search.allow.add('HEAD');
    return { kind: 'method', allow: [...search.allow].sort() };
  }
}

/** Tries the children of a node in order of preference; on success the values of the match are in the search. */
function descend<T>(search: Search<T>, node: RouteNode<T>, position: number): boolean {
  const segment = search.segments[position];
  if (segment === undefined) return finish(search, node);
  const literal = node.literals.get(segment.text);
  if (literal && descend(search, literal, position + 1)) return true;
  if (!segment.hasSlash) {
    const parts = segment.suffixed;
    const suffixed = parts && node.suffixes.get(parts.suffix);
    if (suffixed && capture(search, parts.value, suffixed, position + 1)) return true;
    if (node.parameter && capture(search, segment.text, node.parameter, position + 1)) return true;
  }
  return node.rest !== undefined && descendRest(search, node.rest, position);
}

/** The rest parameter takes as few segments as possible, so that the longest literal tail wins. */
function descendRest<T>(search: Search<T>, rest: RouteNode<T>, position: number): boolean {
  const { length } = search.segments;
  for (let end = Math.max(position + 1, length - rest.height); end <= length; end += 1) {
    const value = search.segments.slice(position, end).map((segment) => segment.text);
    if (capture(search, value.join('/'), rest, end)) return true;
  }
  return false;
}

function capture<T>(search: Search<T>, value: string, node: RouteNode<T>, position: number): boolean {
  search.values.push(value);
  if (descend(search, node, position)) return true;
  search.values.pop();
  return false;
}

function finish<T>(search: Search<T>, node: RouteNode<T>): boolean {
  for (const method of node.endpoints.keys()) search.allow.add(method);
  const found = node.endpoints.get(search.method);
  if (found) search.found = found;
  return found !== undefined;
}
