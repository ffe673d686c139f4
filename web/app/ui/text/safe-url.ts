const ALLOWED = new Set(['http:', 'https:', 'mailto:']);

/** Returns http, https and mailto URLs only: scanner output may contain any URL (WEB-01). */
export function safeUrl(text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return ALLOWED.has(url.protocol) ? url.href : undefined;
}
