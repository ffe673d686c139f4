import { oneOf, searchOf, text } from '#web/url/search.ts';

export const boardSearch = searchOf({ q: text, panel: oneOf<'library' | 'review'>(['library', 'review']) });

export type BoardSearch = ReturnType<typeof boardSearch>;
