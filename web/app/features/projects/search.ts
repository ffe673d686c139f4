import { enumParam, searchParser, textParam } from '#web/foundation/url/search-params.ts';

export const projectsSearch = searchParser({ q: textParam });
export const projectSearch = searchParser({ tab: enumParam(['overview', 'scans', 'dependencies', 'settings']) });
export const scanSearch = searchParser({});
