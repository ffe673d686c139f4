/** Ids have 64 bits and stay text; requests of the plain dialect take them so, though its replies have numbers. */
export const wireId = (id: string): number => id as unknown as number;

type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;

/** Integers that a double cannot hold stay the text that they came as. */
const keepLong: Reviver = (_, value, context) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
    ? context?.source
    : value;

/** Reads JSON without ever rounding an id. */
export const parseJson = (text: string): unknown =>
  /\d{16}/.test(text) ? JSON.parse(text, keepLong as (key: string, value: unknown) => unknown) : JSON.parse(text);
