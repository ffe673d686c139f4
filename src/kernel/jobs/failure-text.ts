const MAX_LENGTH = 500;
const MAX_INPUT_LENGTH = 2000;
const REDACTED = '[cut]';

const urlSecrets = /(\b[a-z][a-z0-9+.-]*:\/\/)([^\s/?#"']*@)?([^\s?#"']*)([?#][^\s"']*)?/gi;
const secretName = /(?:bearer|basic|authorization|cookie|\w*(?:token|password|passwd|secret|api_?key)\w*)/.source;
const namedSecrets = new RegExp(`\\b(${secretName}["']?\\s*[:= ]\\s*["']?)[^\\s"',;]+`, 'gi');
const tokenLike = /(?=[\w+/=-]*\d)(?=[\w+/=-]*[A-Za-z])[\w+/=-]{24,}/g;

/** The text of an error that may be stored: name, code and message on one line, with possible credentials removed. */
export function failureText(error: unknown): string {
  const { name, code, message } = partsOf(error);
  const head = [name, code].filter((part) => part !== '').join(' ');
  const clean = truncate(`${head}: ${message}`)
    .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .replace(urlSecrets, (_, scheme: string, _user: string | undefined, rest: string) => `${scheme}${rest}`)
    .replace(namedSecrets, `$1${REDACTED}`)
    .replace(tokenLike, REDACTED);
  return [...clean].slice(0, MAX_LENGTH).join('');
}

/** Truncates at a word boundary, because half a credential would no longer be recognized as one. */
function truncate(text: string): string {
  return text.length <= MAX_INPUT_LENGTH ? text : text.slice(0, MAX_INPUT_LENGTH).replace(/\S+$/, '');
}

function partsOf(error: unknown): { name: string; code: string; message: string } {
  if (!(error instanceof Error)) return { name: 'Error', code: '', message: typeof error === 'string' ? error : '' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return { name: error.name, code, message: error.message };
}
