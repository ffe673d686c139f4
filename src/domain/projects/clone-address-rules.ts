/** In a URL everything between `://` and the last `@` before the path; also where several URLs are in one text. */
const USER_INFORMATION = /:\/\/[^\s/?#\\"<>]*@/g;
/** How git writes an ssh address: `git@host:path`, or without a user `host.domain:path`. */
const SCP_ADDRESS = /^(?:[^\s@/:]+@([\w.-]+)|([\w-]+(?:\.[\w-]+)+)):(?!\/\/)([^\s:?#]+)$/;
const ACCEPTED = /^(https?|ssh):$/;

/** A text with URLs, of which none has a user or a password. */
export const withoutUserInformation = (text: string): string => text.replace(USER_INFORMATION, '://');

/** JSON in whose URLs no text has a user or a password. */
export function jsonWithoutUserInformation<Json>(value: Json): Json {
  const text = JSON.stringify(value);
  const cleaned = withoutUserInformation(text);
  return cleaned === text ? value : (JSON.parse(cleaned) as Json);
}

/**
 * The address of a repository as it is stored and shown: http, https or ssh, without user, password, query and
 * fragment, which CI systems fill with tokens. Undefined for any other text.
 */
export function cloneAddressOf(text: string): string | undefined {
  const trimmed = text.trim();
  const [, ofUser, alone, path] = SCP_ADDRESS.exec(trimmed) ?? [];
  const host = ofUser ?? alone;
  const address = host === undefined ? trimmed : `ssh://${host}/${path}`;
  if (!/^[a-z]+:\/\//i.test(address) || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (!ACCEPTED.test(url.protocol) || url.host === '') return undefined;
  return `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}`;
}
