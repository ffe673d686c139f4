import { enumParam, flagParam, idParam, searchParser, textParam } from '#web/foundation/url/search-params.ts';

const WHO = ['admins', 'others'] as const;

/** The search parameters of the settings pages. */
export const settingsSearch = searchParser({
  q: textParam,
  tab: textParam,
  who: enumParam(WHO),
  person: idParam,
  project: idParam,
  /** The form for a new object is open; for tokens, `preset` opens it. */
  new: flagParam,
  preset: textParam,
  // The log of deliveries to an integration. Slack returns with a `state` too, and with `code` or `error`.
  state: textParam,
  code: textParam,
  error: textParam,
  days: enumParam(['7']),
  delivery: idParam,
  /** The sign-in with an identity provider whose details are shown. */
  attempt: idParam,
  // The filter of the audit log.
  actor: textParam,
  operation: textParam,
  outcome: textParam,
  objectKind: textParam,
  objectId: textParam,
  since: textParam,
  until: textParam,
});
