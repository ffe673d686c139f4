import { stringify } from 'yaml';
import type { Rule } from '#domain/rules/shape.ts';
import { JSON_TYPE, TEXT_TYPE, YAML_TYPE } from './contract.ts';

/** The content type for a client: scanners accept JSON or anything; browsers would download YAML, so they get text. */
export function contentTypeFor(accept: string): string {
  const accepted = accept.toLowerCase();
  if (accepted.includes('text/html')) return TEXT_TYPE;
  return accepted.includes(JSON_TYPE) ? JSON_TYPE : YAML_TYPE;
}

/** Serializes rules for scanners; words that YAML 1.1 reads as booleans are quoted. */
export const serializeRules = (rules: readonly Rule[], type: string): string =>
  type === JSON_TYPE
    ? JSON.stringify({ rules })
    : stringify({ rules }, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false });
