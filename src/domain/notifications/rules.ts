/** The kind of a notification's link. Anything but a path on this server or a web URL, such as a script, is refused. */
export function classifyLink(link: string): 'none' | 'internal' | 'external' | 'refused' {
  if (link === '') return 'none';
  if (/[\p{Cc}\\]/u.test(link)) return 'refused';
  if (/^\/(?!\/)/.test(link)) return 'internal';
  return /^https?:\/\/[^/]/i.test(link) && URL.canParse(link) ? 'external' : 'refused';
}
