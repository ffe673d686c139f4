/** Not yet in the types of the language, and in every browser since 2025. */
type WithRaw = { rawJSON(text: string): number };

/** Ids have 64 bits and stay text; for the plain dialect they become a number on the wire, digit by digit. */
export const wireId = (id: string): number => (JSON as unknown as WithRaw).rawJSON(id);

type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;

/** Integers that a double cannot hold stay the text that they came as. */
const keepLong: Reviver = (_, value, context) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
    ? context?.source
    : value;

/** Reads JSON without ever rounding an id. */
export const parseJson = (text: string): unknown =>
  /\d{16}/.test(text) ? JSON.parse(text, keepLong as (key: string, value: unknown) => unknown) : JSON.parse(text);
