import { compareDigits, compareLists, compareTexts, createVersionOrder, isDigits } from './version-order.ts';

const PATTERN = /^v?(\d+(?:\.\d+){0,3})(?:-([0-9a-z-]+(?:\.[0-9a-z-]+)*))?(?:\+[0-9a-z.-]+)?$/;

interface NugetVersion {
  release: string[];
  labels: string[];
}

function parse(text: string): NugetVersion | undefined {
  const [, release, labels] = PATTERN.exec(text.toLowerCase()) ?? [];
  return release === undefined ? undefined : { release: release.split('.'), labels: labels?.split('.') ?? [] };
}

function compareLabels(one: readonly string[], other: readonly string[]): number {
  if (one.length === 0 || other.length === 0) return Number(one.length === 0) - Number(other.length === 0);
  return compareLists<string | undefined>(one, other, {
    fill: undefined,
    compare: (a, b) => {
      if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
      if (isDigits(a) !== isDigits(b)) return isDigits(a) ? -1 : 1;
      return isDigits(a) ? compareDigits(a, b) : compareTexts(a, b);
    },
  });
}

/** Versions of NuGet packages: up to four numbers, then labels as in semantic versions, ignoring case. */
export const nuget = createVersionOrder(
  parse,
  (one, other) =>
    compareLists(one.release, other.release, { fill: '0', compare: compareDigits }) ||
    compareLabels(one.labels, other.labels),
);
