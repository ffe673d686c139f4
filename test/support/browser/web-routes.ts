import { readFileSync } from 'node:fs';

const ROUTER = new URL('../../../web/app/shell/router.tsx', import.meta.url);
const ROUTE = /const (\w+) = createRoute\(\{\s*getParentRoute: \(\) => (\w+),\s*path: '([^']*)'/g;

/** The routes of the web application as the router has them: full paths with their parameters. */
export function webRoutes(): string[] {
  const routes = new Map<string, { parent: string; path: string }>();
  for (const [, name = '', parent = '', path = ''] of readFileSync(ROUTER, 'utf8').matchAll(ROUTE))
    routes.set(name, { parent, path });
  const full = (name: string): string => {
    const route = routes.get(name);
    if (!route) return '';
    return `${full(route.parent)}/${route.path}`.replaceAll(/\/+/g, '/');
  };
  const parents = new Set([...routes.values()].map(({ parent }) => parent));
  return [...routes.keys()].filter((name) => !parents.has(name)).map(full);
}
