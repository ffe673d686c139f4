import assert from 'node:assert/strict';
import { basename, dirname } from 'node:path';
import { test } from 'node:test';
import { cyclesOf, edgesOf, filesOf, importsOf, isTest, textOf } from '#test/support/source-tree.ts';

/** Layout tests: import cycles, folder sizes, unique file and type names, floors of the web application. */

const sources = filesOf('src/**/*.ts').filter((file) => !isTest(file));
const pages = filesOf(['web/app/**/*.ts', 'web/app/**/*.tsx']).filter((file) => !isTest(file));
const none = (problems: string[]) => assert.deepEqual(problems, []);

test('files have no import cycles, including type imports', () => {
  const cycles = [sources, pages].flatMap((files) => cyclesOf(edgesOf(files, (file) => file)));
  none(cycles.map((files) => files.join(' ↔ ')));
});

test('folders have no import cycles, including type imports', () => {
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

test('file names are unique within a floor, except for the conventions of rooms', () => {
  const byName = new Map<string, string[]>();
  for (const file of [...sources, ...pages].filter((one) => !CONVENTIONS.test(basename(one)))) {
    const key = `${floorOf(file)}: ${basename(file)}`;
    byName.set(key, [...(byName.get(key) ?? []), file]);
  }
  none([...byName.values()].filter((files) => files.length > 1).map((files) => files.join(' and ')));
});

test('exported type names are unique in the server and in the web application', () => {
  for (const files of [sources, pages]) {
    const byName = new Map<string, string[]>();
    for (const file of files)
      for (const [, name = ''] of textOf(file).matchAll(/^export (?:abstract )?(?:type|interface|class) (\w+)/gm))
        byName.set(name, [...(byName.get(name) ?? []), file]);
    none([...byName].filter(([, found]) => found.length > 1).map(([name, found]) => `${name}: ${found.join(', ')}`));
  }
});

const WEB_FLOORS = ['foundation', 'ui', 'features', 'shell'];
const webFloorOf = (file: string) => WEB_FLOORS.indexOf(file.split('/')[2] ?? '');

test('web files import only lower floors (shell, features, ui, foundation), and features do not import each other', () => {
  const featureOf = (file: string) => file.split('/').slice(0, 4).join('/');
  none(
    pages.flatMap((file) => {
      const isOutside = webFloorOf(file) === -1 && dirname(file) !== 'web/app';
      if (isOutside) return [`${file} is on no floor`];
      return importsOf(file)
        .filter((target) => target.startsWith('web/app/') && webFloorOf(file) !== -1)
        .flatMap((target) => {
          if (webFloorOf(target) > webFloorOf(file) || webFloorOf(target) === -1)
            return [`${file} imports the higher floor ${target}`];
          const isFeature = webFloorOf(file) === 2 && webFloorOf(target) === 2;
          return isFeature && featureOf(file) !== featureOf(target)
            ? [`${file} imports another feature: ${target}`]
            : [];
        });
    }),
  );
});
