import { flag, id, oneOf, searchOf, text } from '#web/url/search.ts';

const WHO = ['admins', 'others'] as const;

/** What the pages of the settings keep in the address. */
export const settingsSearch = searchOf({
  q: text,
  tab: text,
  who: oneOf(WHO),
  person: id,
  project: id,
  /** The form for a new thing is open; of tokens it is the preset that says so. */
  new: flag,
  preset: text,
  /** The audit log. */
  actor: text,
  operation: text,
  outcome: text,
  objectKind: text,
  objectId: text,
  since: text,
  until: text,
});
