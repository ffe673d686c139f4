import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

export interface CommandOption {
  type: 'string' | 'boolean';
  /** The name of the value in the help, such as `SIZE`. */
  value?: string;
  /** The values that are accepted; any, when there is no list. */
  choices?: readonly string[];
  help: string;
}

export type CommandValues = Readonly<Record<string, string | boolean | undefined>>;

export interface Command {
  summary: string;
  /** Further lines of the help. */
  details?: readonly string[];
  options?: Readonly<Record<string, CommandOption>>;
  /** What follows the name of the command, such as `list | try REPORT`; absent if nothing may follow. */
  usage?: string;
  run(values: CommandValues, words: readonly string[]): Promise<void>;
}

export type Commands = Readonly<Record<string, Command>>;

/** What a command line asks for: a command to run, or text to print. */
export type CommandLine =
  | { kind: 'run'; command: Command; values: CommandValues; words: readonly string[] }
  | { kind: 'print'; text: string }
  | { kind: 'version' }
  | { kind: 'usage-error'; text: string };

const COMMON = {
  help: { type: 'boolean', short: 'h', help: 'Print this help.' },
  version: { type: 'boolean', help: 'Print the version.' },
} as const satisfies Record<string, CommandOption & { short?: string }>;

/** Reads the arguments after the program's name. */
export function parseCommandLine(args: readonly string[], commands: Commands): CommandLine {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === '-h') return { kind: 'print', text: helpOf(commands) };
  if (name === '--version') return { kind: 'version' };
  if (name === 'help') return parseCommandLine([...rest.slice(0, 1), '--help'], commands);
  if (name.startsWith('-')) return usageError(`Unknown option "${name}".`, closest(name, Object.keys(COMMON), '--'));
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) return usageError(`Unknown command "${name}".`, closest(name, Object.keys(commands)));
  return parseOptions(name, command, rest);
}

function parseOptions(name: string, command: Command, args: string[]): CommandLine {
  const known: Record<string, CommandOption> = { ...command.options, ...COMMON };
  const help = `See "parapet ${name} --help".`;
  try {
    const allowPositionals = command.usage !== undefined;
    const options = known as ParseArgsOptionsConfig;
    const { values, positionals } = parseArgs({ args, options, allowPositionals });
    if (values['help'] === true) return { kind: 'print', text: commandHelpOf(name, command) };
    if (values['version'] === true) return { kind: 'version' };
    for (const [option, { choices }] of Object.entries(known)) {
      const value = values[option];
      if (choices && typeof value === 'string' && !choices.includes(value))
        return usageError(
          `--${option} must be ${choices.join(', ')}; it is "${value}".`,
          closest(value, choices),
          help,
        );
    }
    return { kind: 'run', command, values: values as CommandValues, words: positionals };
  } catch (error) {
    const unknown = args.find((arg) => arg.startsWith('-') && !Object.hasOwn(known, arg.replace(/^--?|=.*$/g, '')));
    if (unknown === undefined) return usageError((error as Error).message, undefined, help);
    return usageError(`Unknown option "${unknown}".`, closest(unknown, Object.keys(known), '--'), help);
  }
}

function usageError(problem: string, suggestion: string | undefined, help = 'See "parapet --help".'): CommandLine {
  const hint = suggestion === undefined ? help : `Did you mean "${suggestion}"? ${help}`;
  return { kind: 'usage-error', text: `parapet: ${problem}\n${hint}\n` };
}

function closest(given: string, names: readonly string[], prefix = ''): string | undefined {
  const bare = given.replace(/^-+|=.*$/g, '');
  const [best] = names
    .map((name) => ({ name, distance: editDistance(bare, name) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(name.length / 3)))
    .sort((left, right) => left.distance - right.distance);
  return best && `${prefix}${best.name}`;
}

/** The Levenshtein distance. */
function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let at = 1; at <= left.length; at++) {
    const next = [at];
    for (let other = 1; other <= right.length; other++) {
      const replaced = (row[other - 1] ?? 0) + (left[at - 1] === right[other - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[other] ?? 0) + 1, (next[other - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}

const columns = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('');
};

const EXIT_CODES: readonly (readonly [string, string])[] = [
  ['0', 'done'],
  ['1', 'failed; "verify" found a broken chain'],
  ['2', 'usage error, or a setting with a value that is not allowed'],
  ['4', 'the token of another system or server is not valid, or may not do this'],
  ['5', 'the database, or another system or server, cannot be used'],
  ['6', 'conflict: another server, another schema version or another demo is there'],
  ['7', 'done in part: what failed is listed'],
  ['130', 'interrupted'],
];

const helpOf = (commands: Commands): string => `Parapet, an application-security platform.

Usage: parapet COMMAND [OPTION]...

Commands:
${columns(Object.entries(commands).map(([name, { summary }]) => [name, summary]))}
"parapet COMMAND --help" shows the options of a command; "parapet --version" prints the version.
Settings are environment variables: see docs/reference/config.md.

Exit codes:
${columns(EXIT_CODES)}`;

function commandHelpOf(name: string, { summary, details = [], options = {}, usage }: Command): string {
  const rows = Object.entries<CommandOption>({ ...options, ...COMMON }).map(
    ([option, { value, help }]) => [`--${option}${value === undefined ? '' : ` ${value}`}`, help] as const,
  );
  const more = details.length === 0 ? '' : `\n${details.join('\n')}\n`;
  const words = usage === undefined ? '' : ` ${usage}`;
  return `${summary}\n\nUsage: parapet ${name}${words} [OPTION]...\n${more}\nOptions:\n${columns(rows)}`;
}
