import { numberText } from '#web/parts/number-text.ts';

export interface ImportResult {
  scanId: string;
  format: string;
  opened: number;
  fixed: number;
  reopened: number;
  removed: number;
  unchanged: number;
  moved: number;
  held: number;
  warnings: string[];
}

/** What an import did, in one line. */
export function sentenceOf(result: ImportResult, isDryRun = false): string {
  const parts = [
    `${numberText(result.opened)} new`,
    ...(result.fixed > 0 ? [`${numberText(result.fixed)} fixed`] : []),
    ...(result.reopened > 0 ? [`${numberText(result.reopened)} found again`] : []),
    ...(result.removed > 0 ? [`${numberText(result.removed)} out of scope`] : []),
    ...(result.held > 0 ? [`${numberText(result.held)} held open`] : []),
    `${numberText(result.unchanged + result.moved)} as before`,
  ];
  return `${isDryRun ? 'Would be: ' : ''}${parts.join(', ')}`;
}

/** A project's name from that of its report, where nobody has said another yet. */
export const projectFrom = (fileName: string): string =>
  fileName
    .replace(/\.(gz|json|sarif|xml|txt|csv|cdx|spdx)/gi, '')
    .replace(/[^\w./-]+/g, '-')
    .slice(0, 100) || 'project';
