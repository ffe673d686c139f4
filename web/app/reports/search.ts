import { oneOf, searchOf, text } from '#web/url/search.ts';

export const guardrailsSearch = searchOf({
  since: text,
  until: text,
  bucket: oneOf(['day', 'week', 'month']),
  view: oneOf(['chart', 'table']),
  projects: text,
  products: text,
});
