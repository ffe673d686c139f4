import { readdirSync, readFileSync } from 'node:fs';
import { type ReadOptions, readReport } from '#domain/reports/read-report.ts';
import type { Reported } from '#domain/reports/reported.ts';

const FOLDER = 'test/fixtures/reports';

/** Reports that real tools wrote, with the checkout at /repo. */
export const fixtureNames = (): string[] => readdirSync(FOLDER).filter((name) => name.includes('.'));

export const fixture = (name: string): Buffer => readFileSync(`${FOLDER}/${name}`);

/** Bytes as a stream, in pieces of the given size. */
export async function* inChunks(bytes: Buffer | string, size = 1000): AsyncGenerator<Buffer> {
  const all = Buffer.from(bytes);
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size);
}

export async function itemsOf(bytes: Buffer | string, options?: ReadOptions): Promise<Reported[]> {
  const items: Reported[] = [];
  for await (const item of readReport(inChunks(bytes), options)) items.push(item);
  return items;
}

export const itemsOfFixture = (name: string, options?: ReadOptions): Promise<Reported[]> =>
  itemsOf(fixture(name), options);

/** The items of one kind, with the type of it. */
export const ofKind = <K extends Reported['kind']>(items: Reported[], kind: K): Extract<Reported, { kind: K }>[] =>
  items.filter((item): item is Extract<Reported, { kind: K }> => item.kind === kind);

export const countsOf = (items: Reported[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { kind } of items) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};
