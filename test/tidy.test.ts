import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { importsOf, reachedFrom, textOf } from '#test/support/source-tree.ts';
import { requirementMentions } from '../tools/requirements.ts';
import { REQUIREMENTS } from './requirements.ts';

/** Architecture tests: layers, imports, size limits and banned patterns. Each failure is one sentence. */

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

/** A noun may import nouns before it. This is also the order of the foreign keys. */
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
  'sso',
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
  'slack',
  'mailing',
  'storage',
  'ticketing',
  'scm',
  'destinations',
  'unified-policies',
  'provisioning',
  'demo',
];

test('files import only from lower floors or from their own room', () => {
  none(
    plain.flatMap((file) =>
      importsOf(file).flatMap((target) => {
        if (floorOf(target) > floorOf(file)) return [`${file} imports the higher floor ${target}`];
        const isOtherRoom = floorOf(file) === 2 && floorOf(target) === 2 && roomOf(file) !== roomOf(target);
        return isOtherRoom ? [`${file} imports another room: ${target}`] : [];
      }),
    ),
  );
});

test('nouns import only nouns before them', () => {
  const rank = (file: string) => NOUNS.indexOf(file.split('/')[2] ?? '');
  none(
    plain
      .filter((file) => file.startsWith('src/domain/'))
      .flatMap((file) => {
        if (rank(file) === -1) return [`${file} belongs to a noun that is not in the order`];
        return importsOf(file)
          .filter((target) => target.startsWith('src/domain/') && rank(target) > rank(file))
          .map((target) => `${file} imports ${target}, which comes later in the order`);
      }),
  );
});

/** Browsers get only the filter grammar from the server, and contracts as types. */
test('the web application imports only the filter grammar and the types of contracts from the server', () => {
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
  [/dangerouslySetInnerHTML|\.innerHTML\b|insertAdjacentHTML/, 'text from scanners is never rendered as markup'],
  [/\b(?:Number|parseInt)\((?:[\w.]*\.)?(?:\w*Id|id)\)/, 'ids have 64 bits and stay strings'],
  [/(?:localStorage|sessionStorage)\.\w+\([^)]*[tT]oken/, 'tokens stay in memory'],
  [/(?:fetch\(|src=|action=)[\s'"`{]*https?:/, 'nothing is fetched from elsewhere'],
];

test('the web application keeps ids as strings, renders text as text, and keeps tokens in memory', () => {
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

test('contracts, shapes and rules import nothing of the database or the HTTP server', () => {
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

test('files, functions and lines stay within their size limits', () => {
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
        ...(lines > most ? [`${file} has ${lines} lines; the limit is ${most}`] : []),
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
  [/Date\.now\(|new Date\(\)/, (file) => file.endsWith('rules.ts'), 'rules do not read the clock'],
  [/process\.env/, (file) => !file.startsWith('src/kernel/config/'), 'settings are read in one place'],
  [/\bawait\b|\basync\b/, (file) => file.endsWith('/rules.ts'), 'rules are synchronous'],
  [/TODO(?!\(#\d+\))|FIXME|XXX/, () => true, 'open work belongs in an issue'],
  [/^\s*\/\/ ?(const|let|if|return|import|await) .*[;{]$/m, () => true, 'commented-out code is not kept'],
];

test('no source file has a banned pattern', () => {
  none(
    plain.flatMap((file) =>
      BANS.filter(([pattern, applies]) => applies(file) && pattern.test(textOf(file))).map(
        ([pattern, , reason]) => `${file} has ${pattern}: ${reason}`,
      ),
    ),
  );
});

test('no file name repeats its room, no file is a barrel, and none is called utils', () => {
  none(
    plain.flatMap((file) => {
      const [, , room = '', name = ''] = file.split('/');
      const isRepeated = floorOf(file) === 2 && name.startsWith(`${room}.`);
      const isVague = /(^|\/)(utils?|helpers?|common|shared|index)\.ts$/.test(file);
      return isRepeated || isVague ? [`${file} needs a name that explains it`] : [];
    }),
  );
});

test('every file is reachable from the program, a tool or a test', () => {
  const reached = reachedFrom(['src/server/main.ts', ...globSync(['tools/*.ts', 'test/**/*.ts'])]);
  const unusedKernel = /^src\/kernel\/(crypto|jobs|outbound)\//;
  none(plain.filter((file) => !reached.has(file) && !unusedKernel.test(file)).map((file) => `${file} is not imported`));
});

test('every path in the documentation exists', () => {
  const documents = globSync(['*.md', 'docs/**/*.md']).filter((file) => !file.startsWith('docs/reference/'));
  none(
    documents.flatMap((file) =>
      [...textOf(file).matchAll(/`((?:src|test|tools|docs|migrations|web|changes)\/[\w./-]+)`/g)]
        .map(([, path = '']) => path)
        .filter((path) => globSync(path).length === 0)
        .map((path) => `${file} names ${path}, which does not exist`),
    ),
  );
});

test('the lock file names no registry and has every platform', () => {
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

/** Ids of other catalogues that resemble requirement ids. */
const OTHER_CATALOGUES = /^(CWE|CVE|OSV|ISS|UTF|SHA|AES|CRC)-|^A\d\d$/;

test('every requirement id in the code is in the table of requirements, and every id of the table is used', () => {
  const mentions = requirementMentions();
  const unknown = [...mentions].filter(([id]) => !(id in REQUIREMENTS) && !OTHER_CATALOGUES.test(id));
  none(unknown.map(([id, files]) => `${id} is not in test/requirements.ts (${files.join(', ')})`));
  none(Object.keys(REQUIREMENTS).filter((id) => !mentions.has(id)));
});
