/** A path of this organization from what the server names; anything that leads elsewhere is no link. */
export function localHref(href: string | undefined, slug: string): string | undefined {
  if (href === undefined || !/^\/?[a-z][\w\-./?=&%:]*$/i.test(href)) return undefined;
  const path = href.replace(/^\//, '');
  return path.startsWith('o/') ? `/${path}` : `/o/${slug}/${path}`;
}
