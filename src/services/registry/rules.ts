import { stringify } from 'yaml';
import type { Rule } from '#domain/rules/shape.ts';
import { JSON_TYPE, TEXT, YAML } from './contract.ts';

/** The form that a client asks for: scanners name JSON or nothing, and browsers would store YAML instead of showing it. */
export function typeFor(accept: string): string {
  const wanted = accept.toLowerCase();
  if (wanted.includes('text/html')) return TEXT;
  return wanted.includes(JSON_TYPE) ? JSON_TYPE : YAML;
}

/** Rules as a file that scanners read; words that older YAML takes for booleans are quoted. */
export const textOf = (rules: readonly Rule[], type: string): string =>
  type === JSON_TYPE
    ? JSON.stringify({ rules })
    : stringify({ rules }, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false });
