import {
  enumParam,
  flagParam,
  idParam,
  type ParamReader,
  searchParser,
  textParam,
} from '#web/foundation/url/search-params.ts';
import { DELIVERY_STATES } from '#web/ui/deliveries/delivery-state-names.ts';

/** The id of the automation whose form is open, or `new`. */
const at: ParamReader<string> = (given) => (textParam(given) === 'new' ? 'new' : idParam(given));

export const automationsSearch = searchParser({ at });

export const AUTOMATION_TABS = ['runs', 'deliveries', 'held', 'history'] as const;

/** One automation: the tab, its filter, and what is open above it. */
export const automationSearch = searchParser({
  tab: enumParam(AUTOMATION_TABS),
  state: enumParam(DELIVERY_STATES),
  days: enumParam(['7']),
  run: idParam,
  delivery: idParam,
  edit: flagParam,
});
