import type { DemoSize } from '#domain/demo/store.ts';
import { version } from '#kernel/config/version.ts';
import { OperatorError } from '#kernel/errors/operator-error.ts';
import { type Commands, parseCommandLine } from './cli/command-line.ts';

const MOVE_PARTS = ['projects', 'teams', 'policies'];
const DEMO_SIZES: readonly DemoSize[] = ['small', 'team', 'enterprise'];

/** Each command imports its code when it runs, so that help and version need none of it. */
const COMMANDS: Commands = {
  serve: {
    summary: 'Start the server and run it until it is told to stop.',
    details: [
      'Uses the embedded PostgreSQL unless PARAPET_DATABASE_URL names another one. Prints',
      '"parapet ready URL" when it accepts requests. The first signal drains, a second one stops now.',
      'Background jobs run in a worker process that the server starts and stops; PARAPET_JOBS changes that.',
    ],
    options: {
      'no-jobs': { type: 'boolean', help: 'Run no background jobs here: "parapet worker" does. As PARAPET_JOBS=off.' },
    },
    run: async ({ 'no-jobs': noJobs }) => (await import('./serve.ts')).serve({ hasNoJobs: noJobs === true }),
  },
  worker: {
    summary: 'Run background jobs until it is told to stop; any number can run beside the servers.',
    details: [
      'Uses the database of the servers: PARAPET_DATABASE_URL, or the embedded PostgreSQL of a running server.',
      'Answers no requests; PARAPET_METRICS_PORT opens /metrics and /health on loopback. Prints',
      '"parapet worker ready" when it takes jobs. The first signal drains, a second one stops now.',
    ],
    run: async () => (await import('./worker-command.ts')).work(),
  },
  migrate: {
    summary: 'Bring the database schema up to date, and stop.',
    run: async () => (await import('./serve.ts')).migrateDatabase(),
  },
  verify: {
    summary: 'Verify the audit chain of every deployment; works while a server runs.',
    run: async () => (await import('./verify.ts')).verify(),
  },
  release: {
    summary: 'Let a restored copy of a database send webhooks, messages, mails and tickets.',
    details: [
      'A server that finds its database in another place than before sends nothing, so that a copy does not repeat',
      'what the original sends. Stop the original first: what waits in the copy is sent then.',
    ],
    run: async () => (await import('./storage.ts')).releaseCopy(),
  },
  demo: {
    summary: 'Load the demo, a deployment with made-up data; works while a server runs.',
    options: {
      size: {
        type: 'string',
        value: 'SIZE',
        choices: DEMO_SIZES,
        help: `How much data: ${DEMO_SIZES.join(', ')}. Default: small.`,
      },
      clear: { type: 'boolean', help: 'Remove every demo instead of loading one.' },
    },
    run: async ({ size = 'small', clear = false }) =>
      (await import('./demo-command.ts')).demo({ size: size as DemoSize, isClearing: clear === true }),
  },
  admin: {
    summary: 'Appoint administrators of the server, make sign-in links, and disable accounts.',
    usage: 'list | (grant | revoke | login-link | remove-second-factor | disable | enable) EMAIL',
    details: [
      'Administrators of the server can create deployments; whoever set the server up is the first one.',
      '"login-link" prints a link to set a new password. "disable" ends sessions and tokens of an account.',
      'Works while a server runs.',
    ],
    run: async (_values, words) => (await import('./admin-command.ts')).admin(words),
  },
  formats: {
    summary: 'List the formats of reports, or try how a report is read; needs no database.',
    usage: 'list | try REPORT [MAPPING]',
    details: [
      '"list" prints every format and the mappings in PARAPET_FORMATS_DIR. "try" reads a report, with a mapping',
      'file if one is named, and prints what an import would see: nothing is stored.',
      'docs/guides/mapping-reports.md describes mapping files.',
    ],
    run: async (_values, words) => (await import('./offline/formats-command.ts')).formats(words),
  },
  rules: {
    summary: 'Mirror the rules of another registry for all deployments; needs no database.',
    usage: 'add FOLDER|ADDRESS | list | remove NAME',
    details: [
      '"add" reads the rules of a folder, or of a git repository by its https or ssh address, checks them, and keeps',
      'them in PARAPET_RULES_DIR as the ruleset p/NAME. The same name again replaces the pack as a whole.',
      'Nothing is added if a rule cannot be used, unless --partial is given. Servers read packs when they start.',
    ],
    options: {
      name: { type: 'string', value: 'NAME', help: 'The name of the ruleset. Default: the last part of the source.' },
      partial: { type: 'boolean', help: 'Add the rules that can be used although others cannot.' },
    },
    run: async ({ name, partial = false }, words) =>
      (await import('./offline/rules-command.ts')).rules(words, {
        name: typeof name === 'string' ? name : undefined,
        isPartial: partial === true,
      }),
  },
  'import-from': {
    summary: 'Move projects, findings, triage, teams and policies of another system to a running server.',
    usage: 'semgrep | defectdojo',
    details: [
      'Reads the API of the source and calls the API of the server. Addresses and tokens are environment variables:',
      '  PARAPET_SOURCE_URL    address of the source; https://semgrep.dev if it is not set for semgrep',
      '  PARAPET_SOURCE_TOKEN  its API token, only read with',
      '  PARAPET_URL           address of the server',
      '  PARAPET_TOKEN         an API token of the server, for an administrator if teams and policies are moved',
      'A name with the suffix _FILE names a file instead. At a terminal, what is not set is asked for.',
      'An interrupted move continues when the same command runs again. docs/guides/moving-in.md has the details.',
    ],
    options: {
      'dry-run': { type: 'boolean', help: 'Change nothing; say what would come along and what would not.' },
      only: { type: 'string', value: 'PART', choices: MOVE_PARTS, help: `Only one part: ${MOVE_PARTS.join(', ')}.` },
      project: { type: 'string', value: 'NAME', help: 'Only the project of this name.' },
      state: { type: 'string', value: 'FILE', help: 'What is done. Default: parapet-import-SOURCE.json here.' },
      json: { type: 'boolean', help: 'Print the counts as JSON.' },
      'allow-http': { type: 'boolean', help: 'Send tokens over plain HTTP to other machines.' },
    },
    run: async (values, words) => (await import('./import-from/import-from-command.ts')).importFrom(values, words),
  },
  openapi: {
    summary: 'Print the OpenAPI document as JSON; needs no database.',
    run: async () => (await import('./offline/print-openapi.ts')).printOpenapi(),
  },
};

async function main(args: readonly string[]): Promise<void> {
  const line = parseCommandLine(args, COMMANDS);
  switch (line.kind) {
    case 'run':
      return line.command.run(line.values, line.words);
    case 'print':
      process.stdout.write(line.text);
      return;
    case 'version':
      process.stdout.write(`parapet ${version}\n`);
      return;
    case 'usage-error':
      process.stderr.write(line.text);
      process.exitCode = 2;
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const isExplained = error instanceof OperatorError;
  console.error(isExplained ? `parapet cannot start:\n${error.message}` : error);
  process.exit(isExplained ? error.exitCode : 1);
}
