const LONGEST = 256;
const JSON_TYPE = /^application\/json[ \t]*$/i;
const NO_PARAMETER = /^[ \t]*$/;
const CHARSET_UTF_8 = /^[ \t]*charset=(?:utf-8|"utf-8")[ \t]*$/i;

/** The type without its parameters, in lower case; empty where there is none. */
export const essenceOf = (contentType = ''): string => contentType.split(';')[0]?.trim().toLowerCase() ?? '';

/** True for `application/json`, alone or with `charset=utf-8`; beside these only empty parameters are allowed. */
export function isJsonMediaType(contentType: string | undefined): boolean {
  if (contentType === undefined || contentType.length > LONGEST || /[ \t]$/.test(contentType)) return false;
  const [type = '', ...parameters] = contentType.split(';');
  if (!JSON_TYPE.test(type)) return false;
  const given = parameters.filter((parameter) => !NO_PARAMETER.test(parameter));
  return given.length <= 1 && given.every((parameter) => CHARSET_UTF_8.test(parameter));
}
