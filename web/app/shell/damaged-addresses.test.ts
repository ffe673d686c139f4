import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { automationSearch, automationsSearch } from '#web/features/automations/search.ts';
import { findingSearch } from '#web/features/findings/detail/search.ts';
import { inboxSearch } from '#web/features/findings/inbox/search.ts';
import { findingsSearch } from '#web/features/findings/model/search.ts';
import { overviewSearch } from '#web/features/overview/search.ts';
import { boardSearch, policiesSearch } from '#web/features/policies/search.ts';
import { dependencySearch } from '#web/features/projects/dependencies/search.ts';
import { projectSearch, projectsSearch, scanSearch } from '#web/features/projects/search.ts';
import { guardrailsSearch } from '#web/features/reports/search.ts';
import { settingsSearch } from '#web/features/settings/parts/search.ts';
import {
  parseSearch,
  searchParser,
  searchWithout,
  stringifySearch,
  takeIgnoredParams,
  textParam,
} from '#web/foundation/url/search-params.ts';

type Parser = (search: Record<string, unknown>) => Record<string, unknown>;

const PARSERS: Record<string, Parser> = {
  automationSearch,
  automationsSearch,
  boardSearch,
  dependencySearch,
  findingSearch,
  findingsSearch,
  guardrailsSearch,
  inboxSearch,
  overviewSearch,
  policiesSearch,
  projectSearch,
  projectsSearch,
  scanSearch,
  settingsSearch,
};

/** Values that no parameter with a fixed set of values, an id or a time accepts. */
const DAMAGE = ['xxx', '-1', '0x1', 'NaN', 'null', 'constructor', '__proto__', '%', '\u0000', ' ', '1e400', '[]', '"'];
const NAMES = [
  'tab',
  'group',
  'sort',
  'at',
  'step',
  'bucket',
  'view',
  'panel',
  'days',
  'run',
  'delivery',
  'edit',
  'who',
];
const UNKNOWN = ['constructor', 'toString', 'hasOwnProperty', '__proto__', 'zzz', 'Q', ''];

test('every route of the router is tested', () => {
  const router = readFileSync(new URL('./router.tsx', import.meta.url), 'utf8');
  const names = [...router.matchAll(/validateSearch: (\w+),/g)].map(([, name = '']) => name);
  assert.deepEqual(
    names.filter((name) => !(name in PARSERS)),
    [],
  );
});

test('a damaged parameter of any route is dropped, reported once, and missing from the clean address', () => {
  for (const [route, parse] of Object.entries(PARSERS))
    for (const name of [...NAMES, ...UNKNOWN])
      for (const value of DAMAGE) {
        takeIgnoredParams();
        const address = `?${new URLSearchParams([[name, value]])}`;
        const raw = parseSearch(address);
        const merged: Record<string, unknown> = { ...raw, ...parse(raw) };
        const ignored = takeIgnoredParams();
        const kept = Object.keys(merged).filter((key) => merged[key] !== undefined && merged[key] !== '');
        assert.deepEqual([...kept, ...ignored].sort(), [name], `${route} ${address}`);
        assert.equal(searchWithout(address, ignored), stringifySearch(merged), `${route} ${address}`);
        assert.equal(Object.getPrototypeOf(merged), Object.prototype, `${route} ${address}`);
      }
});

test('an invalid value overwrites the raw one, because the router merges both', () => {
  const parse = searchParser({ q: textParam });
  assert.deepEqual({ q: 'a', tab: 'b', ...parse({ q: 'a', tab: 'b' }) }, { q: 'a', tab: undefined });
});
