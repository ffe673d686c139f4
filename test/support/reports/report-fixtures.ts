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
