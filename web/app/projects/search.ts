import { oneOf, searchOf, text } from '#web/url/search.ts';

export const projectsSearch = searchOf({ q: text });
export const projectSearch = searchOf({ tab: oneOf(['overview', 'scans', 'dependencies', 'settings']) });
export const scanSearch = searchOf({});
