import { formatNumber } from '#web/foundation/format/format-number.ts';

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
export function importSummary(result: ImportResult, isDryRun = false): string {
  const parts = [
    `${formatNumber(result.opened)} new`,
    ...(result.fixed > 0 ? [`${formatNumber(result.fixed)} fixed`] : []),
    ...(result.reopened > 0 ? [`${formatNumber(result.reopened)} found again`] : []),
    ...(result.removed > 0 ? [`${formatNumber(result.removed)} out of scope`] : []),
    ...(result.held > 0 ? [`${formatNumber(result.held)} held open`] : []),
    `${formatNumber(result.unchanged + result.moved)} as before`,
  ];
  return `${isDryRun ? 'Would be: ' : ''}${parts.join(', ')}`;
}

/** A project's name from that of its report, where nobody has said another yet. */
export const suggestProjectName = (fileName: string): string =>
  fileName
    .replace(/\.(gz|json|sarif|xml|txt|csv|cdx|spdx)/gi, '')
    .replace(/[^\w./-]+/g, '-')
    .slice(0, 100) || 'project';
