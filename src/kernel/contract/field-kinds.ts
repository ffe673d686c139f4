import { z } from 'zod';

export interface FieldKind {
  kind: 'int64' | 'timestamp' | 'limit' | 'cursor' | 'name' | 'slug' | 'deployment' | 'page' | 'page_size' | 'plain_id';
  noun?: string;
  max?: number;
  min?: number;
  /** The default of a limit. */
  fallback?: number;
  /** Described as a JSON number, as the reference contract has it. */
  isNumber?: boolean;
}

/** The kind of each field schema, used by the normaliser, the pager and the OpenAPI document. */
export const fieldKinds = z.registry<FieldKind>();

const INT64_TEXT = /^(0|-?[1-9]\d{0,18})$/;
const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/** True for the canonical decimal spelling of a 64-bit integer. */
export function isInt64(text: string): boolean {
  if (!INT64_TEXT.test(text)) return false;
  const value = BigInt(text);
  return value >= INT64_MIN && value <= INT64_MAX;
}
