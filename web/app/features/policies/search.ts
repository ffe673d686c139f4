import { enumParam, searchParser, textParam } from '#web/foundation/url/search-params.ts';

export const policiesSearch = searchParser({ tab: enumParam(['detection', 'remediation', 'boards']) });

export const boardSearch = searchParser({
  q: textParam,
  panel: enumParam<'library' | 'review'>(['library', 'review']),
});

export type BoardSearch = ReturnType<typeof boardSearch>;
