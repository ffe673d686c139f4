/** The message for an empty list of suggestions: still loading, failed, or no match. */
export function emptyResultMessage({ isFetching, isError }: { isFetching: boolean; isError: boolean }): string {
  if (isFetching) return 'Searching…';
  return isError ? 'The search failed. Try again.' : 'No matches.';
}
