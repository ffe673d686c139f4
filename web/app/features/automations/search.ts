import { idParam, type ParamReader, searchParser, textParam } from '#web/foundation/url/search-params.ts';

/** The id of the automation whose form is open, or `new`. */
const at: ParamReader<string> = (given) => (textParam(given) === 'new' ? 'new' : idParam(given));

export const automationSearch = searchParser({ at });
