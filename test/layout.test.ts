import assert from 'node:assert/strict';
import { basename, dirname } from 'node:path';
import { test } from 'node:test';
import { cyclesOf, edgesOf, filesOf, importsOf, isTest, textOf } from '#test/support/source-tree.ts';

/** The layout as a test: cycles, sizes of folders, names of files and types, floors of the web application. */

const sources = filesOf('src/**/*.ts').filter((file) => !isTest(file));
const pages = filesOf(['web/app/**/*.ts', 'web/app/**/*.tsx']).filter((file) => !isTest(file));
const none = (problems: string[]) => assert.deepEqual(problems, []);

test('no files import each other in a circle, types included', () => {
  const cycles = [sources, pages].flatMap((files) => cyclesOf(edgesOf(files, (file) => file)));
  none(cycles.map((files) => files.join(' ↔ ')));
});

test('no folders import each other in a circle, types included', () => {
  const cycles = [sources, pages].flatMap((files) => cyclesOf(edgesOf(files, dirname)));
  none(cycles.map((folders) => folders.join(' ↔ ')));
});

const MAX_FILES = 24;

test(`no folder has more than ${MAX_FILES} files`, () => {
  const counts = new Map<string, number>();
  for (const file of filesOf(['src/**/*.*', 'web/**/*.*', 'test/**/*.*', 'tools/*.*'])) {
    if (/^(test\/fixtures|web\/dist)\//.test(file)) continue;
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  }
  none([...counts].filter(([, count]) => count > MAX_FILES).map(([folder, count]) => `${folder} has ${count} files`));
});

/** File names that every room may use. */
const CONVENTIONS =
  /^((\w+-)*(contract|store|routes|rules|examples|shape|jobs|events|queries|search)\.ts|schema\.sql|\w+\.css)$/;
const floorOf = (file: string) => (file.startsWith('web/') ? 'web/app' : file.split('/').slice(0, 2).join('/'));

test('no two files of one floor have the same name, but for the conventions of rooms', () => {
  const homes = new Map<string, string[]>();
  for (const file of [...sources, ...pages].filter((one) => !CONVENTIONS.test(basename(one)))) {
    const key = `${floorOf(file)}: ${basename(file)}`;
    homes.set(key, [...(homes.get(key) ?? []), file]);
  }
  none([...homes.values()].filter((files) => files.length > 1).map((files) => files.join(' and ')));
});

test('each exported type name exists once in the server and once in the web application', () => {
  for (const files of [sources, pages]) {
    const homes = new Map<string, string[]>();
    for (const file of files)
      for (const [, name = ''] of textOf(file).matchAll(/^export (?:abstract )?(?:type|interface|class) (\w+)/gm))
        homes.set(name, [...(homes.get(name) ?? []), file]);
    none([...homes].filter(([, found]) => found.length > 1).map(([name, found]) => `${name}: ${found.join(', ')}`));
  }
});

const WEB_FLOORS = ['foundation', 'ui', 'features', 'shell'];
const webFloorOf = (file: string) => WEB_FLOORS.indexOf(file.split('/')[2] ?? '');

test('the web application imports downwards: shell, features, ui, foundation; features do not know each other', () => {
  const featureOf = (file: string) => file.split('/').slice(0, 4).join('/');
  none(
    pages.flatMap((file) => {
      const isOutside = webFloorOf(file) === -1 && dirname(file) !== 'web/app';
      if (isOutside) return [`${file} is on no floor`];
      return importsOf(file)
        .filter((target) => target.startsWith('web/app/') && webFloorOf(file) !== -1)
        .flatMap((target) => {
          if (webFloorOf(target) > webFloorOf(file) || webFloorOf(target) === -1)
            return [`${file} imports ${target} from a floor above`];
          const isFeature = webFloorOf(file) === 2 && webFloorOf(target) === 2;
          return isFeature && featureOf(file) !== featureOf(target)
            ? [`${file} imports another feature: ${target}`]
            : [];
        });
    }),
  );
});
