const LIST_OF_WORDS = /\[\n\s*("[^"\n]*"(?:,\n\s*"[^"\n]*")*)\n\s*\]/g;

/** An API description as the text of a file: indented, with each list of words on one line. */
export function documentText(document: object): string {
  const text = JSON.stringify(document, null, 1);
  return `${text.replace(LIST_OF_WORDS, (_, words: string) => `[${words.replace(/,\n\s*/g, ', ')}]`)}\n`;
}
