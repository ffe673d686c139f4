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

/** How versions of an ecosystem are compared. */
export const versionOrderOf = (ecosystem: string): VersionOrder => ORDERS.get(ecosystem) ?? natural;

/** One end of a range: `>=1.0`, `>1.0`, `<2`, `<=2`; a bare version is part of the range. */
export interface VersionBound {
  operator: '>=' | '>' | '<=' | '<';
  version: string;
}

const LOWER = /^\s*(>=|>)?\s*([^<>=~^|,\s]+)\s*$/;
const UPPER = /^\s*(<=|<)?\s*([^<>=~^|,\s]+)\s*$/;

const boundIn = (pattern: RegExp, fallback: VersionBound['operator'], text: string): VersionBound | undefined => {
  const [, operator = fallback, version] = pattern.exec(text) ?? [];
  return version === undefined ? undefined : { operator: operator as VersionBound['operator'], version };
};

export const parseLowerBound = (text: string): VersionBound | undefined => boundIn(LOWER, '>=', text);
export const parseUpperBound = (text: string): VersionBound | undefined => boundIn(UPPER, '<=', text);

const HOLDS: Record<VersionBound['operator'], (order: number) => boolean> = {
  '>=': (order) => order <= 0,
  '>': (order) => order < 0,
  '<=': (order) => order >= 0,
  '<': (order) => order > 0,
};

/** True for the versions of an ecosystem between the bounds; what is no version is between none. */
export function boundsPredicate(ecosystem: string, bounds: readonly VersionBound[]): (version: string) => boolean {
  const order = versionOrderOf(ecosystem);
  const tests = bounds.map(({ operator, version }) => {
    const place = order.comparatorFor(version);
    return (candidate: string) => {
      const found = place?.(candidate);
      return found !== undefined && HOLDS[operator](found);
    };
  });
  return (version) => tests.every((test) => test(version));
}
