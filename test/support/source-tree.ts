import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The source tree as a graph of imports, for architecture tests. */

const texts = new Map<string, string>();

export function textOf(file: string): string {
  let text = texts.get(file);
  if (text === undefined) {
    text = readFileSync(file, 'utf8');
    texts.set(file, text);
  }
  return text;
}

export const filesOf = (patterns: string | string[]): string[] => globSync(patterns).sort();

export const isTest = (file: string): boolean => file.startsWith('test/') || /\.test\.tsx?$/.test(file);

const ALIASES: [prefix: string, folder: string][] = [
  ['#kernel/', 'src/kernel/'],
  ['#domain/', 'src/domain/'],
  ['#services/', 'src/services/'],
  ['#web/', 'web/app/'],
  ['#test/', 'test/'],
];

const targets = new Map<string, string[]>();

/** The files of the repository that a file imports, including types. */
export function importsOf(file: string): string[] {
  let found = targets.get(file);
  if (!found) {
    found = [
      ...textOf(file).matchAll(/^(?:import|export)\b[^;']*?from '([^']+)'/gms),
      ...textOf(file).matchAll(/^import '([^']+)'/gm),
      ...textOf(file).matchAll(/import\('([^']+)'\)/g),
    ].flatMap(([, name = '']) => {
      if (name.startsWith('.')) return [relative('.', join(dirname(file), name))];
      if (name === '#app') return ['src/app.ts'];
      const alias = ALIASES.find(([prefix]) => name.startsWith(prefix));
      return alias ? [alias[1] + name.slice(alias[0].length)] : [];
    });
    targets.set(file, found);
  }
  return found;
}

/** Every file that is reachable from the roots by imports. */
export function reachedFrom(roots: readonly string[]): Set<string> {
  const reached = new Set<string>();
  const walk = (file: string) => {
    if (reached.has(file) || !existsSync(file)) return;
    reached.add(file);
    if (/\.(ts|tsx|mjs)$/.test(file)) for (const target of importsOf(file)) walk(target);
  };
  for (const root of roots) walk(root);
  return reached;
}

/** Groups of nodes that reach each other (Tarjan); a single node is not a cycle. */
export function cyclesOf(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const cycles: string[][] = [];
  const visit = (node: string) => {
    order.set(node, order.size);
    lowest.set(node, order.get(node) ?? 0);
    open.push(node);
    for (const target of edges.get(node) ?? []) {
      if (!order.has(target)) visit(target);
      if (open.includes(target)) lowest.set(node, Math.min(lowest.get(node) ?? 0, lowest.get(target) ?? 0));
    }
    if (lowest.get(node) !== order.get(node)) return;
    const group = open.splice(open.indexOf(node));
    if (group.length > 1) cycles.push(group.sort());
  };
  for (const node of edges.keys()) if (!order.has(node)) visit(node);
  return cycles;
}

/** The imports of these files as edges between the nodes that `nodeOf` returns. */
export function edgesOf(files: readonly string[], nodeOf: (file: string) => string): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>();
  for (const file of files) {
    const from = nodeOf(file);
    const known = edges.get(from) ?? new Set();
    edges.set(from, known);
    for (const target of importsOf(file)) if (nodeOf(target) !== from) known.add(nodeOf(target));
  }
  return edges;
}
