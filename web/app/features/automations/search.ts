import { idParam, type ParamReader, searchParser, textParam } from '#web/foundation/url/search-params.ts';

/** The automation whose form is open, or a new one. */
const at: ParamReader<string> = (given) => (textParam(given) === 'new' ? 'new' : idParam(given));

export const automationSearch = searchParser({ at });
