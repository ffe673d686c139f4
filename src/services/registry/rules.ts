import { stringify } from 'yaml';
import type { Rule } from '#domain/rules/shape.ts';
import { JSON_TYPE, TEXT_TYPE, YAML_TYPE } from './contract.ts';

/** The form for a client: scanners ask for JSON or for nothing, and browsers would store YAML instead of showing it. */
export function contentTypeFor(accept: string): string {
  const wanted = accept.toLowerCase();
  if (wanted.includes('text/html')) return TEXT_TYPE;
  return wanted.includes(JSON_TYPE) ? JSON_TYPE : YAML_TYPE;
}

/** Rules as a file that scanners read; words that older YAML takes for booleans are quoted. */
export const serializeRules = (rules: readonly Rule[], type: string): string =>
  type === JSON_TYPE
    ? JSON.stringify({ rules })
    : stringify({ rules }, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false });
