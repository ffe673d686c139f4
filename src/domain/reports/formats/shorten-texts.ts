import { jsonWithoutUserInformation, withoutUserInformation } from '#domain/projects/clone-address-rules.ts';
import type { ReportItem } from '../report-items.ts';

/**
 * Bytes of UTF-8. Facts of a rule, a file or its source are written once in a report, and stored with each of its
 * results: without a limit, a small report with one long text would fill the disk. Names are parts of index entries,
 * which have at most 2,704 bytes.
 */
const MAX_BYTES: Record<string, number> = {
  id: 1500,
  rule: 1500,
  path: 1200,
  title: 1000,
  category: 500,
  message: 20_000,
  description: 20_000,
  note: 20_000,
  code: 20_000,
  context: 20_000,
  scope: 1500,
  helpUrl: 2000,
  package: 700,
  version: 300,
  ecosystem: 100,
  advisory: 500,
  manifestPath: 1200,
  resolvedUrl: 2000,
  purl: 2000,
};

const MAX_ENTRIES = 50;
/** In lists, by their name. */
const MAX_ENTRY_BYTES: Record<string, number> = {
  cwes: 500,
  owasps: 500,
  references: 2000,
  licenses: 500,
  advisories: 500,
  fixVersions: 300,
};

/** Members that are URLs: a scanner may have been given one with a password. */
const URLS = ['helpUrl', 'resolvedUrl'];

const TEXTS = Object.entries(MAX_BYTES);
const LISTS = Object.entries(MAX_ENTRY_BYTES);
const BYTES_PER_UNIT = 3;

const isLong = (text: string, most: number) =>
  text.length > most || (text.length * BYTES_PER_UNIT > most && Buffer.byteLength(text) > most);

/** Without a character that is cut in half. */
const cut = (text: string, most: number) =>
  isLong(text, most)
    ? Buffer.from(text.slice(0, most))
        .subarray(0, most)
        .toString()
        .replace(/\uFFFD+$/, '')
    : text;

/** Cuts overlong texts and lists of an item and removes passwords in URLs, in place; true if something was cut. */
export function shortenTexts(item: Extract<ReportItem, { kind: 'finding' | 'rule' | 'dependency' | 'decision' }>) {
  const isShort = shorten(item as unknown as Record<string, unknown>);
  if (item.kind !== 'finding' || item.sca === undefined) return isShort;
  return shorten(item.sca as unknown as Record<string, unknown>) || isShort;
}

function removePasswords(members: Record<string, unknown>): void {
  for (const name of URLS) {
    const url = members[name];
    if (typeof url === 'string' && url.includes('@')) members[name] = withoutUserInformation(url);
  }
  const metadata = members['metadata'];
  if (metadata !== undefined) members['metadata'] = jsonWithoutUserInformation(metadata);
  const references = members['references'] as string[] | undefined;
  if (references?.some((text) => text.includes('@'))) members['references'] = references.map(withoutUserInformation);
}

function shorten(members: Record<string, unknown>): boolean {
  removePasswords(members);
  let isShortened = false;
  for (const [name, most] of TEXTS) {
    const text = members[name];
    if (typeof text !== 'string' || !isLong(text, most)) continue;
    members[name] = cut(text, most);
    isShortened = true;
  }
  for (const [name, most] of LISTS) {
    const list = members[name] as string[] | undefined;
    if (list === undefined || (list.length <= MAX_ENTRIES && !list.some((entry) => isLong(entry, most)))) continue;
    members[name] = list.slice(0, MAX_ENTRIES).map((entry) => cut(entry, most));
    isShortened = true;
  }
  return isShortened;
}
