import { ScanEnvironment, ScanProduct, ScanStatus } from './shape.ts';

const nameOf = (prefix: string, word: string) => `${prefix}_${word.toUpperCase().replaceAll('-', '_')}`;

/** The API's name of a status that the table keeps in small letters. */
export const statusOf = (word: string): ScanStatus => ScanStatus.parse(nameOf('SCAN_STATUS', word));

/** The word under which the table keeps a status or a product. */
export const storedNameOf = (name: string): string => name.replace(/^(SCAN_STATUS|PRODUCT)_/, '').toLowerCase();

export const productOf = (word: string): ScanProduct =>
  ScanProduct.safeParse(nameOf('PRODUCT', word)).data ?? 'PRODUCT_UNSPECIFIED';

/** What scanners call the places they run in, where it is not the API's name. */
const PLACES: Readonly<Partial<Record<string, ScanEnvironment>>> = {
  'semgrep-managed-scan': 'SCAN_ENVIRONMENT_MANAGED_SCANS',
};

/** Where a scan ran; a place that the API has no name for counts as a machine of one's own. */
export function environmentOf(word: string): ScanEnvironment {
  const known = Object.hasOwn(PLACES, word) ? PLACES[word] : undefined;
  return known ?? ScanEnvironment.safeParse(nameOf('SCAN_ENVIRONMENT', word)).data ?? 'SCAN_ENVIRONMENT_LOCAL';
}

/** A length of time as the API spells it: seconds with up to three decimals and an s. */
export const durationOf = (seconds: number): string => `${Number(Math.max(0, seconds).toFixed(3))}s`;
