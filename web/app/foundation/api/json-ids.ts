/** Ids have 64 bits and stay strings. The v1 API types them as numbers but also accepts strings. */
export const wireId = (id: string): number => id as unknown as number;

type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;

/** Keeps integers that a double cannot represent as the text they were sent as. */
const keepLong: Reviver = (_, value, context) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
    ? context?.source
    : value;

/** Parses JSON without rounding 64-bit ids. */
export const parseJson = (text: string): unknown =>
  /\d{16}/.test(text) ? JSON.parse(text, keepLong as (key: string, value: unknown) => unknown) : JSON.parse(text);
