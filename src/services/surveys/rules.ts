const MOST_BYTES = 32 * 1024;

const hasBigint = (value: unknown): boolean => {
  if (typeof value === 'bigint') return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasBigint);
};

/** True for an answer that comes back exactly as it was given, and is no more than a form can hold. */
export const isKeepable = (data: unknown): boolean =>
  !hasBigint(data) && new TextEncoder().encode(JSON.stringify(data)).length <= MOST_BYTES;
