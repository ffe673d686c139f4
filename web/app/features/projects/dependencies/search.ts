import { idParam, searchParser, textParam } from '#web/foundation/url/search-params.ts';

export const dependencySearch = searchParser({ q: textParam, project: idParam });
