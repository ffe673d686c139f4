import { readdirSync, readFileSync } from 'node:fs';
import { type ReadOptions, readReport } from '#domain/reports/formats/read-report.ts';
import type { ReportItem } from '#domain/reports/report-items.ts';

const FOLDER = 'test/fixtures/reports';

/** One report or several of each format, with the checkout at /repo; its definition says who wrote it. */
export const fixtureNames = (): string[] =>
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.includes('.') && !name.startsWith('sample/'))
    .sort();

export const readFixture = (name: string): Buffer => readFileSync(`${FOLDER}/${name}`);

/** Bytes as a stream, in chunks of the given size. */
export async function* inChunks(bytes: Buffer | string, size = 1000): AsyncGenerator<Buffer> {
  const all = Buffer.from(bytes);
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size);
}

export async function parseReport(bytes: Buffer | string, options?: ReadOptions): Promise<ReportItem[]> {
  const items: ReportItem[] = [];
  for await (const item of readReport(inChunks(bytes), options)) items.push(item);
  return items;
}

export const parseFixture = (name: string, options?: ReadOptions): Promise<ReportItem[]> =>
  parseReport(readFixture(name), options);

/** The items of one kind, typed. */
export const itemsOfKind = <K extends ReportItem['kind']>(
  items: ReportItem[],
  kind: K,
): Extract<ReportItem, { kind: K }>[] =>
  items.filter((item): item is Extract<ReportItem, { kind: K }> => item.kind === kind);

export const countsByKind = (items: ReportItem[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { kind } of items) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};

/**
 * The number of findings that a report opens: a secret is one wherever it is, an advisory one per package, file and
 * version, unless its only name is one of several of another one; all others are distinct.
 */
export function countDistinct(findings: readonly Extract<ReportItem, { kind: 'finding' }>[]): number {
  const aliases = new Set<string>();
  const keys = new Set<string>();
  for (const [index, { product, rule, path, sca, secret }] of findings.entries()) {
    const value = secret?.value ?? secret?.valueDigest;
    if (product === 'sca' && sca) {
      const names = [...new Set(sca.advisories.length > 0 ? sca.advisories : [rule])];
      const place = [sca.ecosystem, sca.package, sca.version, path];
      const [first, ...others] = names.map((name) => JSON.stringify([name, ...place]).toUpperCase());
      const hasAliases = others.length > 0;
      keys.add(`${first} ${hasAliases}`);
      if (hasAliases) for (const name of [first, ...others]) aliases.add(`${name} false`);
    } else keys.add(value === undefined ? `result ${index}` : JSON.stringify([secret?.type.toLowerCase(), value]));
  }
  return [...keys].filter((key) => !aliases.has(key)).length;
}
