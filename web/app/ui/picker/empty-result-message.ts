/** Why a list of suggestions is empty: not yet, not to be had, or there is nothing. */
export function emptyResultMessage({ isFetching, isError }: { isFetching: boolean; isError: boolean }): string {
  if (isFetching) return 'Looking…';
  return isError ? 'The server could not be asked: try again.' : 'Nothing has that name.';
}
