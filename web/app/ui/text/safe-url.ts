const ALLOWED = new Set(['http:', 'https:', 'mailto:']);

/** The address, if it leads to the web or to a mail: text of scanners may hold anything (WEB-01). */
export function safeUrl(text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return ALLOWED.has(url.protocol) ? url.href : undefined;
}
