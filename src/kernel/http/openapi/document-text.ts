/** An API description as the text of a file: a list of words stands on one line. */
export const documentText = (document: object): string =>
  `${JSON.stringify(document, null, 1).replace(/\[\n\s*("[^"\n]*"(?:,\n\s*"[^"\n]*")*)\n\s*\]/g, (_, words: string) => `[${words.replace(/,\n\s*/g, ', ')}]`)}\n`;
