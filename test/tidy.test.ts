import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { importsOf, reachedFrom, textOf } from '#test/support/source-tree.ts';
import { requirementMentions } from '../tools/requirements.ts';
import { REQUIREMENTS } from './requirements.ts';

/** The architecture as a test: floors, walls, budgets and bans, each failing as a sentence. */

const sources = globSync('src/**/*.ts').sort();
const tests = globSync(['src/**/*.test.ts', 'test/**/*.ts']).filter((file) => !file.startsWith('test/canary'));
const plain = sources.filter((file) => !file.endsWith('.test.ts'));
const pages = globSync(['web/app/**/*.ts', 'web/app/**/*.tsx']).sort();
const none = (problems: string[]) => assert.deepEqual(problems, []);

const FLOORS = ['src/kernel/', 'src/domain/', 'src/services/'];
const floorOf = (file: string) => {
  const floor = FLOORS.findIndex((folder) => file.startsWith(folder));
  return floor === -1 ? FLOORS.length : floor;
};
const roomOf = (file: string) => file.split('/').slice(0, 3).join('/');

/** Nouns may lean on nouns before them; it is also the order of the foreign keys. */
const NOUNS = [
  'query',
  'deployments',
  'products',
  'review-comments',
  'access',
  'accounts',
  'tasks',
  'projects',
  'teams',
  'invitations',
  'notifications',
  'connections',
  'reports',
  'ignores',
  'scans',
  'dependencies',
  'findings',
  'workflow-issues',
  'sboms',
  'policies',
  'rules',
  'automations',
  'provisioning',
  'demo',
];

test('nobody walks upstairs, and nobody walks through a wall', () => {
  none(
    plain.flatMap((file) =>
      importsOf(file).flatMap((target) => {
        if (floorOf(target) > floorOf(file)) return [`${file} climbs up to ${target}`];
        const isThroughWall = floorOf(file) === 2 && floorOf(target) === 2 && roomOf(file) !== roomOf(target);
        return isThroughWall ? [`${file} walks through the wall to ${target}`] : [];
      }),
    ),
  );
});

test('nouns lean only on nouns before them', () => {
  const rank = (file: string) => NOUNS.indexOf(file.split('/')[2] ?? '');
  none(
    plain
      .filter((file) => file.startsWith('src/domain/'))
      .flatMap((file) => {
        if (rank(file) === -1) return [`${file} belongs to a noun that is not in the written order`];
        return importsOf(file)
          .filter((target) => target.startsWith('src/domain/') && rank(target) > rank(file))
          .map((target) => `${file} leans on ${target}, which comes later`);
      }),
  );
});

/** Browsers get the filter grammar and nothing else of the server; contracts are known to them by their types. */
test('the web pages take nothing from the server but the grammar of filters and the types of contracts', () => {
  none(
    pages.flatMap((file) =>
      [...textOf(file).matchAll(/^import (type )?[^;]*?from '(#(?:kernel|domain|services|test)\/[^']+)'/gms)]
        .filter(([, type, name = '']) => {
          const isType = type !== undefined && /^#(kernel\/contract|services\/[\w/-]+contract\.ts)/.test(name);
          return !isType && !name.startsWith('#domain/query/') && !file.endsWith('.test.ts');
        })
        .map(([, , name]) => `${file} takes ${name}`),
    ),
  );
});

const PAGE_BANS: [pattern: RegExp, reason: string][] = [
  [/dangerouslySetInnerHTML|\.innerHTML\b|insertAdjacentHTML/, 'text of scanners is never markup'],
  [/\b(?:Number|parseInt)\((?:[\w.]*\.)?(?:\w*Id|id)\)/, 'ids have 64 bits and stay text'],
  [/(?:localStorage|sessionStorage)\.\w+\([^)]*[tT]oken/, 'tokens stay in memory'],
  [/(?:fetch\(|src=|action=)[\s'"`{]*https?:/, 'nothing is fetched from elsewhere'],
];

test('the web pages keep ids as text, text as text, and tokens in memory', () => {
  none(
    pages
      .filter((file) => !file.endsWith('.test.ts'))
      .flatMap((file) =>
        PAGE_BANS.filter(([pattern]) => pattern.test(textOf(file))).map(([, reason]) => `${file}: ${reason}`),
      ),
  );
});

const MAY_IMPORT: Record<string, RegExp> = {
  'contract.ts': /(shape|contract)\.ts$|^src\/kernel\/contract\//,
  'shape.ts': /shape\.ts$|^src\/kernel\/contract\//,
  'rules.ts': /(shape|contract|rules)\.ts$|^src\/kernel\/contract\//,
};

test('contracts, shapes and rules know nothing of databases and requests', () => {
  none(
    plain
      .filter((file) => !file.startsWith('src/kernel/'))
      .flatMap((file) => {
        const allowed = MAY_IMPORT[file.split('/').at(-1) ?? ''];
        return importsOf(file)
          .filter((target) => allowed && !allowed.test(target))
          .map((target) => `${file} may not import ${target}`);
      }),
  );
});

const longestFunction = (text: string) => {
  const lines = text.split('\n');
  let longest = 0;
  for (const [start, line] of lines.entries()) {
    const opening = /^( *)(?:export )?(?:async )?(?:function|static|get |#?\w+\(.*\{$)/.exec(line);
    if (!opening || !line.endsWith('{')) continue;
    const end = lines.findIndex((other, index) => index > start && other.startsWith(`${opening[1]}}`));
    longest = Math.max(longest, end - start + 1);
  }
  return longest;
};

test('files, functions and lines stay within their budgets', () => {
  none(
    [...new Set([...sources, ...tests, ...pages])].flatMap((file) => {
      const text = textOf(file);
      const isTest = file.startsWith('test/') || file.endsWith('.test.ts');
      const lines = text.split('\n').length - 1;
      const most = isTest ? 500 : 300;
      // Most of a component is markup.
      const longest = file.endsWith('.tsx') ? 100 : 60;
      const wide = text.split('\n').findIndex((line) => line.length > 120 && !/http|^ *test\('/.test(line));
      return [
        ...(lines > most ? [`${file} has ${lines} lines; the budget is ${most}`] : []),
        ...(!isTest && longestFunction(text) > longest
          ? [`${file} has a function of ${longestFunction(text)} lines`]
          : []),
        ...(wide >= 0 ? [`${file}:${wide + 1} is wider than 120 characters`] : []),
      ];
    }),
  );
});

const BANS: [pattern: RegExp, files: (file: string) => boolean, reason: string][] = [
  [/\.transform\(/, (file) => /(contract|shape)\.ts$/.test(file), 'a transform cannot be encoded'],
  [/Date\.now\(|new Date\(\)/, (file) => file.endsWith('rules.ts'), 'rules know no clock'],
  [/process\.env/, (file) => !file.startsWith('src/kernel/config/'), 'settings are read in one place'],
  [/\bawait\b|\basync\b/, (file) => file.endsWith('/rules.ts'), 'rules do not wait'],
  [/TODO(?!\(#\d+\))|FIXME|XXX/, () => true, 'what is left to do is an issue'],
  [/^\s*\/\/ ?(const|let|if|return|import|await) .*[;{]$/m, () => true, 'code is not commented out'],
];

test('nothing that is banned is in the source', () => {
  none(
    plain.flatMap((file) =>
      BANS.filter(([pattern, applies]) => applies(file) && pattern.test(textOf(file))).map(
        ([pattern, , reason]) => `${file} has ${pattern}: ${reason}`,
      ),
    ),
  );
});

test('no file repeats its room, no file is a barrel, and none is called utils', () => {
  none(
    plain.flatMap((file) => {
      const [, , room = '', name = ''] = file.split('/');
      const isRepeated = floorOf(file) === 2 && name.startsWith(`${room}.`);
      const isVague = /(^|\/)(utils?|helpers?|common|shared|index)\.ts$/.test(file);
      return isRepeated || isVague ? [`${file} needs a name that explains it`] : [];
    }),
  );
});

test('every file is reached from the program, a tool or a test', () => {
  const reached = reachedFrom(['src/server/main.ts', ...globSync(['tools/*.ts', 'test/**/*.ts'])]);
  const kernelPowers = /^src\/kernel\/(crypto|jobs|outbound)\/|contract\/plain\.ts$/;
  none(plain.filter((file) => !reached.has(file) && !kernelPowers.test(file)).map((file) => `${file} is dead`));
});

test('every documented path of the repository exists', () => {
  const documents = globSync(['*.md', 'docs/**/*.md']).filter((file) => !file.startsWith('docs/reference/'));
  none(
    documents.flatMap((file) =>
      [...textOf(file).matchAll(/`((?:src|test|tools|docs|migrations|web|changes)\/[\w./-]+)`/g)]
        .map(([, path = '']) => path)
        .filter((path) => globSync(path).length === 0)
        .map((path) => `${file} names ${path}, which is not there`),
    ),
  );
});

test('the lock file names no registry and misses no platform', () => {
  const lock = JSON.parse(textOf('package-lock.json')) as {
    packages: Record<string, { resolved?: string; optionalDependencies?: Record<string, string> }>;
  };
  none(
    Object.entries(lock.packages).flatMap(([name, { resolved, optionalDependencies = {} }]) => [
      ...(resolved?.startsWith('http') ? [`${name} records ${resolved}`] : []),
      ...Object.keys(optionalDependencies)
        .filter(
          (wanted) =>
            !(`node_modules/${wanted}` in lock.packages) && !(`${name}/node_modules/${wanted}` in lock.packages),
        )
        .map((wanted) => `${name} misses ${wanted}`),
    ]),
  );
});

/** Ids of other catalogues that look like requirement ids. */
const OTHER_CATALOGUES = /^(CWE|CVE|OSV|ISS|UTF|SHA|AES|CRC)-|^A\d\d$/;

test('every requirement id in the code is in the table of requirements, and every id of the table is used', () => {
  const mentions = requirementMentions();
  const unknown = [...mentions].filter(([id]) => !(id in REQUIREMENTS) && !OTHER_CATALOGUES.test(id));
  none(unknown.map(([id, files]) => `${id} is not in test/requirements.ts (${files.join(', ')})`));
  none(Object.keys(REQUIREMENTS).filter((id) => !mentions.has(id)));
});
