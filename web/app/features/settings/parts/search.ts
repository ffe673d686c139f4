import { enumParam, flagParam, idParam, searchParser, textParam } from '#web/foundation/url/search-params.ts';

const WHO = ['admins', 'others'] as const;

/** What the pages of the settings keep in the address. */
export const settingsSearch = searchParser({
  q: textParam,
  tab: textParam,
  who: enumParam(WHO),
  person: idParam,
  project: idParam,
  /** The form for a new thing is open; of tokens it is the preset that says so. */
  new: flagParam,
  preset: textParam,
  /** The audit log. */
  actor: textParam,
  operation: textParam,
  outcome: textParam,
  objectKind: textParam,
  objectId: textParam,
  since: textParam,
  until: textParam,
});
