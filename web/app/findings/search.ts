import { id, oneOf, searchOf, text } from '#web/url/search.ts';

export const findingsSearch = searchOf({
  q: text,
  at: id,
  group: oneOf(['rule', 'project', 'path', 'cwe', 'dependency']),
  sort: oneOf(['newest', 'severity']),
  cols: text,
});
