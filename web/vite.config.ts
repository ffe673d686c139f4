import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const resolvePath = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Provides the method and path of each operation from openapi.json, so that the contracts stay out of the bundle. */
function operations(): Plugin {
  const name = 'virtual:operations';
  return {
    name,
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load(id) {
      if (id !== `\0${name}`) return undefined;
      const { paths } = JSON.parse(readFileSync(resolvePath('../openapi.json'), 'utf8')) as {
        paths: Record<string, Record<string, { operationId?: string }>>;
      };
      const routes = Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).flatMap(([method, { operationId }]) =>
          operationId === undefined ? [] : [[operationId, `${method.toUpperCase()} ${path}`] as const],
        ),
      );
      return `export const routes = ${JSON.stringify(Object.fromEntries(routes))};`;
    },
  };
}

const VENDORS = /node_modules\/(react|react-dom|scheduler|@tanstack|tinykeys|@mantine\/(hooks|core\/esm\/core))\//;

// Vite requires a default export.
export default defineConfig({
  root: resolvePath('.'),
  base: '/',
  plugins: [react(), operations()],
  resolve: { alias: { '#web': resolvePath('app'), '#domain': resolvePath('../src/domain') } },
  build: {
    outDir: resolvePath('dist'),
    emptyOutDir: true,
    assetsDir: 'ui',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    reportCompressedSize: false,
    rollupOptions: {
      output: { manualChunks: (id) => (VENDORS.test(id) ? 'vendor' : undefined) },
    },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      ['/api', '/docs', '/openapi.json', '/assets', '/login', '/invitation'].map((path) => [
        path,
        'http://127.0.0.1:8080',
      ]),
    ),
  },
});
