import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Creates the folder of a new service group: `npm run new-slice deployment-tag`. */
const [name = ''] = process.argv.slice(2);
if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
  console.error('Give the name of the group without "Service", in kebab-case: npm run new-slice deployment-tag');
  process.exit(2);
}
const folder = join('src/services', name);
if (existsSync(folder)) {
  console.error(`${folder} already exists.`);
  process.exit(1);
}
const camel = name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
const service = `${camel[0]?.toUpperCase()}${camel.slice(1)}Service`;

const FILES: Record<string, string> = {
  'contract.ts': `import { z } from 'zod';
import { operation } from '#kernel/contract/operation.ts';
import { deployment } from '#kernel/contract/proto-fields.ts';

const path = { deploymentId: deployment() };

export const getStatus = operation({
  route: 'GET /api/${name}/deployments/{deploymentId}/status',
  summary: 'Describe the operation in a few words',
  maturity: 'experimental',
  allow: 'deployment:read',
  path,
  reply: { deploymentId: z.string() },
});
`,
  'routes.ts': `import { group } from '#kernel/http/group.ts';
import * as contract from './contract.ts';

/** ${service}: describe its purpose. */
export const ${camel} = group('${service}', contract, {
  getStatus: async ({ path }) => ({ deploymentId: path.deploymentId }),
});
`,
  'examples.ts': `import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  getStatus: (of) => ({ path: { deploymentId: of('Deployment') } }),
};
`,
};

mkdirSync(folder);
for (const [file, text] of Object.entries(FILES)) writeFileSync(join(folder, file), text);
console.log(`Created ${folder}. Add its line to src/app.ts, then run npm run derive.`);
