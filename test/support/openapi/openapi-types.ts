import { registerHooks } from 'node:module';

/**
 * openapi-typescript builds its output with the programming interface of the TypeScript compiler, which version 7 does
 * not have; the last version that has it comes inside of another package.
 */
const COMPILER =
  'data:text/javascript,' +
  encodeURIComponent(`
  import { createRequire } from 'node:module';
  export default createRequire(${JSON.stringify(import.meta.url)})('@ts-morph/common').ts;`);

/** The types of an OpenAPI document, as the text of a module. */
export async function openapiTypes(document: object): Promise<string> {
  const hooks = registerHooks({
    resolve: (name, context, next) =>
      name === 'typescript' ? { url: COMPILER, shortCircuit: true } : next(name, context),
  });
  try {
    const { default: generate, astToString } = await import('openapi-typescript');
    const options = { defaultNonNullable: false };
    return astToString(await generate(structuredClone(document) as Parameters<typeof generate>[0], options));
  } finally {
    hooks.deregister();
  }
}
