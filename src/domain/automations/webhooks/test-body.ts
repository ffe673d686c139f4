import { pythonJson } from './python-json.ts';

/** What the test button sends to machines. */
export const TEST_BODY: string = pythonJson([
  { text: 'This is a test of your webhook. Nothing was found.', username: 'Parapet' },
]);
