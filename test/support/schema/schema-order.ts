import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** The rooms that have tables, each after those that its foreign keys reference. */
export const SCHEMA_ORDER: readonly string[] = [
  'src/kernel/db',
  'src/kernel/audit',
  'src/kernel/jobs',
  'src/domain/deployments',
  'src/domain/products',
  'src/domain/accounts',
  'src/services/keyless-ci',
  'src/domain/tasks',
  'src/domain/projects',
  'src/domain/teams',
  'src/services/deployments',
  'src/domain/policies',
  'src/domain/unified-policies',
  'src/domain/rules',
  'src/services/partner-credential',
  'src/domain/sso',
  'src/domain/invitations',
  'src/services/scim',
  'src/domain/notifications',
  'src/services/checklist',
  'src/services/support',
  'src/services/surveys',
  'src/domain/ignores',
  'src/domain/review-comments',
  'src/domain/scans',
  'src/domain/dependencies',
  'src/domain/findings',
  'src/domain/workflow-issues',
  'src/domain/automations',
  'src/domain/slack',
  'src/domain/mailing',
  'src/domain/storage',
  'src/domain/ticketing',
  'src/domain/scm',
  'src/domain/demo',
  'src/services/managed-scan-settings',
  'src/services/package-manager-configs',
  'src/services/resolution-configs',
  'src/services/saved-views',
];

/** The files of a folder's schema: `schema.sql`, or those in `schema/` in the order of their names. */
const filesOf = (folder: string): string[] => {
  const parts = globSync(`${folder}/schema/*.sql`).sort();
  return parts.length > 0 ? parts : [`${folder}/schema.sql`];
};

/** The current schema of all rooms as one text. */
export async function schemaText(): Promise<string> {
  const texts = await Promise.all(SCHEMA_ORDER.flatMap(filesOf).map((file) => readFile(file, 'utf8')));
  return texts.join('\n');
}
