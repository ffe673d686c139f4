/** What a link of a notification may be: a path of this server, or a web address; nothing that could run. */
export function classifyLink(link: string): 'none' | 'internal' | 'external' | 'refused' {
  if (link === '') return 'none';
  if (/[\p{Cc}\\]/u.test(link)) return 'refused';
  if (/^\/(?!\/)/.test(link)) return 'internal';
  return /^https?:\/\/[^/]/i.test(link) && URL.canParse(link) ? 'external' : 'refused';
}
