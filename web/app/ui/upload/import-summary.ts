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

/** Summarizes the result of an import in one line. */
export function importSummary(result: ImportResult, isDryRun = false): string {
  const parts = [
    `${formatNumber(result.opened)} new`,
    ...(result.fixed > 0 ? [`${formatNumber(result.fixed)} fixed`] : []),
    ...(result.reopened > 0 ? [`${formatNumber(result.reopened)} reopened`] : []),
    ...(result.removed > 0 ? [`${formatNumber(result.removed)} removed`] : []),
    ...(result.held > 0 ? [`${formatNumber(result.held)} kept open`] : []),
    `${formatNumber(result.unchanged + result.moved)} unchanged`,
  ];
  return `${isDryRun ? 'Preview: ' : ''}${parts.join(', ')}`;
}

/** Suggests a project name from the file name of a report. */
export const suggestProjectName = (fileName: string): string =>
  fileName
    .replace(/\.(gz|json|sarif|xml|txt|csv|cdx|spdx)/gi, '')
    .replace(/[^\w./-]+/g, '-')
    .slice(0, 100) || 'project';
