import { ScanEnvironment, ScanProduct, ScanStatus } from './shape.ts';

const nameOf = (prefix: string, word: string) => `${prefix}_${word.toUpperCase().replaceAll('-', '_')}`;

/** The API's name of a status that is stored in lower case. */
export const statusOf = (word: string): ScanStatus => ScanStatus.parse(nameOf('SCAN_STATUS', word));

/** The stored name of a status or a product. */
export const storedNameOf = (name: string): string => name.replace(/^(SCAN_STATUS|PRODUCT)_/, '').toLowerCase();

export const productOf = (word: string): ScanProduct =>
  ScanProduct.safeParse(nameOf('PRODUCT', word)).data ?? 'PRODUCT_UNSPECIFIED';

/** Environment names of scanners that differ from the API's names. */
const ENVIRONMENT_ALIASES: Readonly<Partial<Record<string, ScanEnvironment>>> = {
  'semgrep-managed-scan': 'SCAN_ENVIRONMENT_MANAGED_SCANS',
};

/** Where a scan ran; an environment that is unknown to the API counts as local. */
export function environmentOf(word: string): ScanEnvironment {
  const alias = Object.hasOwn(ENVIRONMENT_ALIASES, word) ? ENVIRONMENT_ALIASES[word] : undefined;
  return alias ?? ScanEnvironment.safeParse(nameOf('SCAN_ENVIRONMENT', word)).data ?? 'SCAN_ENVIRONMENT_LOCAL';
}

/** A duration in the API's form: seconds with up to three decimals and an `s`. */
export const durationOf = (seconds: number): string => `${Number(Math.max(0, seconds).toFixed(3))}s`;
