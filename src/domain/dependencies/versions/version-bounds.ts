import { composer } from './composer.ts';
import { gem } from './gem.ts';
import { maven } from './maven.ts';
import { natural } from './natural.ts';
import { nuget } from './nuget.ts';
import { pep440 } from './pep440.ts';
import { semantic } from './semantic.ts';
import type { VersionOrder } from './version-order.ts';

const ORDERS = new Map<string, VersionOrder>(
  Object.entries({
    npm: semantic,
    cargo: semantic,
    gomod: semantic,
    hex: semantic,
    mix: semantic,
    pub: semantic,
    swiftpm: semantic,
    pypi: pep440,
    maven,
    gem,
    cocoapods: gem,
    nuget,
    composer,
  }),
);

/** The version order of an ecosystem. */
export const versionOrderOf = (ecosystem: string): VersionOrder => ORDERS.get(ecosystem) ?? natural;

/** One end of a version range: `>=1.0`, `>1.0`, `<2`, `<=2`; a bare version is inclusive. */
export interface VersionBound {
  operator: '>=' | '>' | '<=' | '<';
  version: string;
}

const LOWER = /^\s*(>=|>)?\s*([^<>=~^|,\s]+)\s*$/;
const UPPER = /^\s*(<=|<)?\s*([^<>=~^|,\s]+)\s*$/;

const parseBound = (pattern: RegExp, fallback: VersionBound['operator'], text: string): VersionBound | undefined => {
  const [, operator = fallback, version] = pattern.exec(text) ?? [];
  return version === undefined ? undefined : { operator: operator as VersionBound['operator'], version };
};

export const parseLowerBound = (text: string): VersionBound | undefined => parseBound(LOWER, '>=', text);
export const parseUpperBound = (text: string): VersionBound | undefined => parseBound(UPPER, '<=', text);

const HOLDS: Record<VersionBound['operator'], (order: number) => boolean> = {
  '>=': (order) => order <= 0,
  '>': (order) => order < 0,
  '<=': (order) => order >= 0,
  '<': (order) => order > 0,
};

/** A predicate that is true for versions within the bounds, and false for texts that are not versions. */
export function boundsPredicate(ecosystem: string, bounds: readonly VersionBound[]): (version: string) => boolean {
  const order = versionOrderOf(ecosystem);
  const tests = bounds.map(({ operator, version }) => {
    const compareWith = order.comparatorFor(version);
    return (candidate: string) => {
      const result = compareWith?.(candidate);
      return result !== undefined && HOLDS[operator](result);
    };
  });
  return (version) => tests.every((test) => test(version));
}
