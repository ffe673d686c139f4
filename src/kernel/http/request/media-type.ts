const MAX_LENGTH = 256;
const JSON_TYPE = /^application\/json[ \t]*$/i;
const SCIM_TYPE = /^application\/scim\+json[ \t]*$/i;
const NO_PARAMETER = /^[ \t]*$/;
const CHARSET_UTF_8 = /^[ \t]*charset=(?:utf-8|"utf-8")[ \t]*$/i;

/** The media type without its parameters, in lower case; empty when there is none. */
export const essenceOf = (contentType = ''): string => contentType.split(';')[0]?.trim().toLowerCase() ?? '';

/** True for `application/json`, alone or with `charset=utf-8`; only empty parameters are allowed besides. */
export const isJsonMediaType = (contentType: string | undefined): boolean => isMediaType(contentType, JSON_TYPE);

/** The same for `application/scim+json`. */
export const isScimMediaType = (contentType: string | undefined): boolean => isMediaType(contentType, SCIM_TYPE);

function isMediaType(contentType: string | undefined, expected: RegExp): boolean {
  if (contentType === undefined || contentType.length > MAX_LENGTH || /[ \t]$/.test(contentType)) return false;
  const [type = '', ...parameters] = contentType.split(';');
  if (!expected.test(type)) return false;
  const given = parameters.filter((parameter) => !NO_PARAMETER.test(parameter));
  return given.length <= 1 && given.every((parameter) => CHARSET_UTF_8.test(parameter));
}
