/** The token in the fragment of the address, removed from it so that it stays out of the browser history. */
export function takeFragmentToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get('t') ?? '';
  if (token) history.replaceState(null, '', location.pathname);
  return token;
}
