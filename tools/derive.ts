import { readFile, writeFile } from 'node:fs/promises';
import { rooms } from '#app';
import { ORG_ROLES, PERMISSIONS, permissionsOf } from '#domain/access/roles.ts';
import { MAX_FILTER_LENGTH, MAX_TERMS, MAX_VALUES_PER_TERM } from '#domain/query/ast.ts';
import { GRAMMAR_EXAMPLES } from '#domain/query/vocabulary/grammar-examples.ts';
import { FILTER_KEYS, type FilterKeyDefinition } from '#domain/query/vocabulary/keys.ts';
import { settings, variableOf } from '#kernel/config/config.ts';
import { version } from '#kernel/config/version.ts';
import { operationIdOf } from '#kernel/http/openapi/describe-operation.ts';
import { documentText } from '#kernel/http/openapi/document-text.ts';
import { openapiOf } from '#kernel/http/openapi/openapi.ts';
import { allFaults, faultsOf } from '#kernel/http/pipeline/fault-catalogue.ts';
import { SHORTCUTS as PAGE_KEYS } from '#web/foundation/keys/shortcuts.ts';
import { shapes } from '../src/shapes.ts';
import { formatsPage } from './formats-page.ts';
import { requirementsPage } from './requirements.ts';
import { packText } from './rule-pack.ts';
import { rulesPage } from './rules-page.ts';

/** Writes every derived file; with --check it only reports those that are not current. */

const bound = rooms.flatMap(({ group }) => group.operations);
const generated = '<!-- Derived by `npm run derive`; edit the contracts instead. -->\n\n';
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

function operations(): string {
  const sections = rooms.map(({ group, purpose }) => {
    const rows = group.operations.map((one) => {
      const { method, template, summary, maturity, allow, credential, isExtension } = one.operation;
      const accepted = allow === 'public' ? 'none' : credential === 'user' ? 'user' : 'user or token';
      const statuses = [...new Set([...faultsOf(one).values()].map(({ status }) => status))].sort().join(' ');
      const note = `${maturity}${isExtension ? ', extension' : ''}`;
      return [`\`${method} ${template}\``, operationIdOf(one), summary, note, accepted, `\`${allow}\``, statuses];
    });
    const head = ['Route', 'Operation', 'What it does', 'Maturity', 'Credential', 'Permission', 'Refusals'];
    return `## ${group.name}\n\n${purpose}.\n\n${table(head, rows)}\n`;
  });
  return `# Operations\n\n${generated}${sections.join('\n')}`;
}

const ADVICE: [range: string, caller: string, operator: string][] = [
  ['400, 415, 422', 'Correct the request; the same one fails again.', 'Nothing.'],
  ['401', 'Sign in again, or use another token.', 'Nothing; many of them from one address are an attack.'],
  ['403', 'Ask an administrator for the permission the answer names.', 'Nothing.'],
  ['404', 'Check the id; what you may not see looks the same as what is not there.', 'Nothing.'],
  ['409, 412', 'Read the object again, then repeat the change.', 'Nothing.'],
  ['413, 429, 431', 'Send less, or wait as long as Retry-After says.', 'Raise the limit if the use is wanted.'],
  ['500', 'Try again; then report the request id.', 'Find the request id in the log and report the defect.'],
  ['503', 'Try again after Retry-After.', 'Look at the database and at the readiness check.'],
];

function errors(): string {
  const advice = table(['Status', 'What the caller does', 'What the operator does'], ADVICE);
  const rows = allFaults(bound).map(({ code, status, sentence, hint }) => [
    `\`${code}\``,
    String(status),
    sentence,
    hint,
  ]);
  const codes = table(['Code', 'Status', 'Meaning', 'What to do'], rows);
  return `# Errors\n\n${generated}${advice}\n\n## Codes\n\n${codes}\n`;
}

function permissions(): string {
  const rows = PERMISSIONS.map((permission) => [
    `\`${permission}\``,
    ...ORG_ROLES.map((role) => (permissionsOf(role).has(permission) ? 'yes' : '')),
    bound
      .filter(({ operation }) => operation.allow === permission)
      .map(operationIdOf)
      .join(', '),
  ]);
  const head = ['Permission', ...ORG_ROLES.map((role) => `\`${role}\``), 'Needed by'];
  return `# Permissions\n\n${generated}${table(head, rows)}\n`;
}

/** The matrix as plain text, so that a change of policy is a line of a diff. */
function roles(): string {
  const lines = ORG_ROLES.flatMap((role) =>
    PERMISSIONS.map((permission) => `${role} ${permissionsOf(role).has(permission) ? 'may' : 'may not'} ${permission}`),
  );
  return `${lines.join('\n')}\n`;
}

/** The keys of the web pages; two keys that follow each other are written with a space. */
function keys(): string {
  const capOf = (keys: string) => keys.replaceAll('$mod', 'Ctrl or ⌘').replace('Shift+?', '?').replaceAll('+', ' + ');
  const rows = Object.values(PAGE_KEYS).map(({ keys, label, group }) => [group, `\`${capOf(keys)}\``, label]);
  const note =
    'Keys do nothing while you type. `?` shows those of the page you are on; there they can be switched off.';
  return `# Keys\n\n${generated}${note}\n\n${table(['Where', 'Keys', 'What they do'], rows)}\n`;
}

function config(): string {
  const rows = Object.entries(settings).map(([name, { describe, allowed, fallback }]) => [
    `\`${variableOf(name)}\``,
    fallback === '' ? '' : `\`${fallback}\``,
    allowed,
    describe,
  ]);
  const intro =
    'Each setting is an environment variable; with `_FILE` at the end of its name it is read from a file.\n\n';
  return `# Settings\n\n${generated}${intro}${table(['Variable', 'Default', 'Allowed', 'Meaning'], rows)}\n`;
}

const code = (words: readonly string[], separator = ', ') => words.map((word) => `\`${word}\``).join(separator);

function filters(): string {
  const keys = Object.entries(FILTER_KEYS) as [string, FilterKeyDefinition][];
  const rows = keys.map(([key, { aliases, kind, values, help, example }]) => {
    const names = code(values.map(({ name }) => name));
    const allowed = kind === 'enum' || names === '' ? names : `${names} and others`;
    return [code([key]), code(aliases), kind, allowed, help, code([example])];
  });
  const meanings = keys.flatMap(([key, { values }]) =>
    values.filter(({ help }) => help !== '').map(({ name, help }) => [code([`${key}:${name}`]), help]),
  );
  const grammar = table(
    ['Write', 'Meaning'],
    GRAMMAR_EXAMPLES.map(([examples, meaning]) => [code(examples, ' '), meaning]),
  );
  const limits = `At most ${MAX_FILTER_LENGTH} characters, ${MAX_TERMS} terms, and ${MAX_VALUES_PER_TERM} values a term.`;
  const workflows =
    'What Agentic Workflows found (`type:workflow`) answers to `type`, `is`, `reason`, `severity`, `rule` (the workflow ' +
    'that found it first), `scanner`, `project`, `tag`, `owner`, `path`, `package`, `branch`, `cwe`, `owasp`, `age`, ' +
    '`opened`, `seen`, `triaged`, `fixed` and text; by every other key none of it is found.';
  const keyTable = table(['Key', 'Also', 'Kind', 'Values', 'Finds by', 'Example'], rows);
  const sections = [
    `${grammar}\n\n${limits}`,
    `## Keys\n\n${keyTable}`,
    workflows,
    '## Words',
    table(['Word', 'Meaning'], meanings),
  ];
  return `# Filters\n\n${generated}${sections.join('\n\n')}\n`;
}

const DERIVED: [file: string, make: () => string][] = [
  ['openapi.json', () => documentText(openapiOf({ rooms, shapes, version }))],
  ['docs/reference/operations.md', operations],
  ['docs/reference/errors.md', errors],
  ['docs/reference/permissions.md', permissions],
  ['docs/reference/config.md', config],
  ['docs/reference/filters.md', filters],
  ['docs/reference/formats.md', () => formatsPage(generated, table)],
  ['docs/reference/keys.md', keys],
  ['docs/reference/requirements.md', () => requirementsPage(generated)],
  ['rules/pack.json', packText],
  ['docs/reference/rules.md', () => rulesPage(generated, table)],
  ['test/contract/roles.txt', roles],
];

let isStale = false;
for (const [file, make] of DERIVED) {
  const text = make();
  const before = await readFile(file, 'utf8').catch(() => '');
  if (before === text) continue;
  isStale = true;
  console.log(process.argv.includes('--check') ? `${file} is not current: run npm run derive` : `wrote ${file}`);
  if (!process.argv.includes('--check')) await writeFile(file, text);
}
process.exit(isStale && process.argv.includes('--check') ? 1 : 0);
