/** Turns a link of the server into a path of this organization; undefined if it leads elsewhere. */
export function localHref(href: string | undefined, slug: string): string | undefined {
  if (href === undefined || !/^\/?[a-z][\w\-./?=&%:]*$/i.test(href)) return undefined;
  const path = href.replace(/^\//, '');
  return path.startsWith('o/') ? `/${path}` : `/o/${slug}/${path}`;
}
