import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Secret } from '#kernel/crypto/secret.ts';
import { OperatorError } from '#kernel/errors/operator-error.ts';
import { TrustedProxies } from '#kernel/http/edge/trusted-proxies.ts';
import { parseEgressAllow } from '#kernel/outbound/allowed-addresses.ts';
import { anyText, databaseUrl, email, host, integer, origin, secret, sender, smtpUrl } from './setting-values.ts';

/** One setting: its meaning, the allowed values, and how its text is parsed. */
interface Setting<Value> {
  describe: string;
  allowed: string;
  fallback: string;
  /** Returns undefined for a value that is not allowed. */
  read: (text: string) => Value | undefined;
  isSecret?: boolean;
}

const setting = <Value>(value: Setting<Value>) => value;

/** Every setting of the server. Each can also be read from a file, which the variable with the suffix `_FILE` names. */
export const settings = {
  host: setting({
    describe: 'Address to listen on.',
    allowed: 'an IP address or host name',
    fallback: '127.0.0.1',
    read: host,
  }),
  port: setting({
    describe: 'Port to listen on; 0 picks a free one.',
    allowed: '0 to 65535',
    fallback: '8080',
    read: integer(0, 65_535),
  }),
  baseUrl: setting({
    describe: 'Public origin; from host and port when empty.',
    allowed: 'an http or https origin',
    fallback: '',
    read: origin,
  }),
  metricsPort: setting({
    describe: 'Port of /metrics on loopback; 0 switches it off.',
    allowed: '0 to 65535',
    fallback: '0',
    read: integer(0, 65_535),
  }),
  dataDir: setting({
    describe: 'Folder for database, spool and keys.',
    allowed: 'a path',
    fallback: './data',
    read: (text) => (text ? text : undefined),
  }),
  formatsDir: setting({
    describe: 'Folder with mappings of other report formats; `formats` in the data folder when empty.',
    allowed: 'a path',
    fallback: '',
    read: anyText,
  }),
  rulesDir: setting({
    describe: 'Folder with packs of rules that `parapet rules add` mirrors; `rules` in the data folder when empty.',
    allowed: 'a path',
    fallback: '',
    read: anyText,
  }),
  minFreeDiskMb: setting({
    describe: 'Free disk space in MiB below which uploads are refused; 0 switches the check off.',
    allowed: '0 to 100000000',
    fallback: '256',
    read: integer(0, 100_000_000),
  }),
  databaseUrl: setting({
    describe: 'PostgreSQL (15 or later) to use instead of the embedded one.',
    allowed: 'a postgres:// URL without the parameter options',
    fallback: '',
    read: databaseUrl,
    isSecret: true,
  }),
  databasePool: setting({
    describe: 'Most database connections for requests.',
    allowed: '2 to 200',
    fallback: '16',
    read: integer(2, 200),
  }),
  jobs: setting({
    describe:
      'Where background jobs run: in a worker process that the server starts, in the process of the server, or not ' +
      'here, because `parapet worker` runs them.',
    allowed: 'worker, server or off',
    fallback: 'worker',
    read: (text) => (text === 'worker' || text === 'server' || text === 'off' ? text : undefined),
  }),
  masterKey: setting({
    describe: 'Key-encryption key: 32 bytes as base64 or hex; made in the data folder when empty.',
    allowed: '32 bytes as base64 or hex',
    fallback: '',
    read: secret,
    isSecret: true,
  }),
  setupAdminEmail: setting({
    describe: 'Non-interactive set-up: e-mail of the first administrator.',
    allowed: 'an e-mail address',
    fallback: '',
    read: email,
  }),
  setupAdminPassword: setting({
    describe: 'Non-interactive set-up: password of the first administrator.',
    allowed: 'at least 12 characters',
    fallback: '',
    read: (text) => (text === '' || [...text].length >= 12 ? new Secret(text) : undefined),
    isSecret: true,
  }),
  setupOrg: setting({
    describe: 'Non-interactive set-up: name of the first deployment.',
    allowed: 'a name',
    fallback: '',
    read: anyText,
  }),
  setupTokenFile: setting({
    describe: 'Non-interactive set-up: file that gets a full Web-API token, once.',
    allowed: 'a path',
    fallback: '',
    read: anyText,
  }),
  demo: setting({
    describe: 'Loads a demo, a made-up deployment to look around in, once there is an administrator.',
    allowed: '0 or 1',
    fallback: '0',
    read: (text) => (text === '1' ? true : text === '0' ? false : undefined),
  }),
  deploymentsPerPerson: setting({
    describe: 'Deployments that each person can create; 0: only administrators of the server can.',
    allowed: '0 to 1000',
    fallback: '0',
    read: integer(0, 1000),
  }),
  smtpUrl: setting({
    describe: 'Mail server; without one no mail is sent, and invitations are handed over as links.',
    allowed: 'an smtp:// or smtps:// URL',
    fallback: '',
    read: smtpUrl,
    isSecret: true,
  }),
  mailFrom: setting({
    describe: 'Sender of all mail.',
    allowed: 'an e-mail address, with or without a name before it',
    fallback: 'Parapet <parapet@localhost>',
    read: sender,
  }),
  slackUrl: setting({
    describe: 'Origin of Slack; another one for GovSlack.',
    allowed: 'an http or https origin',
    fallback: 'https://slack.com',
    read: (text) => origin(text) || undefined,
  }),
  semgrep: setting({
    describe: 'Program that runs rules in the playground: semgrep or semgrep-core; the installed one when empty.',
    allowed: 'a path',
    fallback: '',
    read: anyText,
  }),
  sandbox: setting({
    describe:
      'How far programs that read foreign code must be separated from the server: good needs Linux with namespaces, ' +
      'weak lets them read what the server can read.',
    allowed: 'good or weak',
    fallback: 'good',
    read: (text) => (text === 'good' || text === 'weak' ? text : undefined),
  }),
  logLevel: setting({
    describe: 'How much is logged.',
    allowed: 'trace, debug, info, warn, error or silent',
    fallback: 'info',
    read: (text) => (/^(trace|debug|info|warn|error|silent)$/.test(text) ? text : undefined),
  }),
  trustedProxies: setting({
    describe: 'Proxies whose X-Forwarded-For is believed.',
    allowed: 'IP addresses or CIDR ranges, comma-separated',
    fallback: '',
    read: (text) => {
      const { proxies, errors } = TrustedProxies.parse(text);
      return errors.length === 0 ? proxies : undefined;
    },
  }),
  egressAllow: setting({
    describe: 'Private targets that outbound calls may reach.',
    allowed: 'host:port or CIDR, comma-separated',
    fallback: '',
    read: (text) => {
      const { allow, errors } = parseEgressAllow(text);
      return errors.length === 0 ? allow : undefined;
    },
  }),
  limitAddress: setting({
    describe: 'Requests a minute per address.',
    allowed: '1 to 100000000',
    fallback: '120000',
    read: integer(1, 100_000_000),
  }),
  limitApi: setting({
    describe: 'Requests a minute per credential.',
    allowed: '1 to 100000000',
    fallback: '60000',
    read: integer(1, 100_000_000),
  }),
  limitWrite: setting({
    describe: 'Writes a minute per credential.',
    allowed: '1 to 100000000',
    fallback: '12000',
    read: integer(1, 100_000_000),
  }),
  limitLogin: setting({
    describe:
      'Failed sign-ins a minute at one account, without those of its known devices; half of it from one address, and ' +
      'ten times as many from one address at all accounts.',
    allowed: '1 to 100000',
    fallback: '10',
    read: integer(1, 100_000),
  }),
  limitCheckUser: setting({
    describe: 'Checks of a credential at its vendor a minute per user.',
    allowed: '1 to 100000000',
    fallback: '10',
    read: integer(1, 100_000_000),
  }),
  limitCheckDeployment: setting({
    describe: 'Checks of a credential at its vendor a minute per deployment.',
    allowed: '1 to 100000000',
    fallback: '30',
    read: integer(1, 100_000_000),
  }),
} satisfies Record<string, Setting<unknown>>;

type Settings = typeof settings;
export type Config = { [Name in keyof Settings]: NonNullable<ReturnType<Settings[Name]['read']>> };

export const variableOf = (name: string): string =>
  `PARAPET_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

/** Thrown with all invalid settings at once. */
export class InvalidSettings extends OperatorError {
  override readonly exitCode = 2;
}

/** Reads all settings; invalid ones are reported together, each with its value and the allowed values. */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const problems: string[] = [];
  const config = Object.fromEntries(
    Object.entries(settings).map(([name, setting]) => {
      const variable = variableOf(name);
      const text = textOf(variable, env, problems) ?? setting.fallback;
      const value = (setting as Setting<unknown>).read(text);
      if (value === undefined) problems.push(`${variable} is ${shown(setting, text)}; allowed: ${setting.allowed}.`);
      return [name, value];
    }),
  ) as Config;
  if (problems.length > 0) throw new InvalidSettings(problems.join('\n'));
  const dataDir = resolve(config.dataDir);
  return {
    ...config,
    dataDir,
    formatsDir: resolve(config.formatsDir || join(dataDir, 'formats')),
    rulesDir: resolve(config.rulesDir || join(dataDir, 'rules')),
  };
}

/** Variables that look like settings but are none, most likely because of a typo. */
export function unknownSettings(env: Record<string, string | undefined> = process.env): string[] {
  const known = new Set(Object.keys(settings).flatMap((name) => [variableOf(name), `${variableOf(name)}_FILE`]));
  const isOfClient = /^PARAPET_(SOURCE_)?(URL|TOKEN)(_FILE)?$/;
  return Object.keys(env).filter((name) => name.startsWith('PARAPET_') && !known.has(name) && !isOfClient.test(name));
}

/**
 * The environment of the worker process of a server: the same settings, without those that only one process can use and
 * those of the first set-up.
 */
export function workerEnvironment(
  baseUrl: string,
  env: Record<string, string | undefined> = process.env,
): Record<string, string | undefined> {
  const isLeftOut = /^PARAPET_(SETUP_|BASE_URL|METRICS_PORT)/;
  const inherited = Object.entries(env).filter(([name]) => !isLeftOut.test(name));
  return { ...Object.fromEntries(inherited), PARAPET_BASE_URL: baseUrl };
}

const shown = (setting: { isSecret?: boolean }, text: string) =>
  setting.isSecret ? 'set to a value that is not allowed' : `"${text}"`;

function textOf(variable: string, env: Record<string, string | undefined>, problems: string[]): string | undefined {
  const file = env[`${variable}_FILE`];
  if (file === undefined) return env[variable];
  if (env[variable] !== undefined) problems.push(`${variable} and ${variable}_FILE are both set; set one of them.`);
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch {
    problems.push(`${variable}_FILE names "${file}", which cannot be read.`);
    return undefined;
  }
}
