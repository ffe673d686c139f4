import { type JsonValue, pythonJson } from './python-json.ts';

const MAX_ITEMS = 50;
const MAX_BYTES = 20 * 1024;

/** The items as JSON arrays of at most 50 items and 20 KiB; an item that is larger has an array of its own. */
export function splitBodies(items: readonly JsonValue[]): string[] {
  const bodies: string[] = [];
  let texts: string[] = [];
  let size = 2;
  const close = () => {
    if (texts.length > 0) bodies.push(`[${texts.join(',')}]`);
    texts = [];
    size = 2;
  };
  for (const item of items) {
    const text = pythonJson(item);
    if (texts.length >= MAX_ITEMS || size + text.length + 1 > MAX_BYTES) close();
    texts.push(text);
    // The text is ASCII, so its length is its size.
    size += text.length + 1;
  }
  close();
  return bodies;
}

export const MAX_ITEM_BYTES = MAX_BYTES - 2;
