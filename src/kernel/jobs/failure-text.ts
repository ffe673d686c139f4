const LONGEST = 500;
const LONGEST_READ = 2000;
const CUT = '[cut]';

const urlSecrets = /(\b[a-z][a-z0-9+.-]*:\/\/)([^\s/?#"']*@)?([^\s?#"']*)([?#][^\s"']*)?/gi;
const secretName = /(?:bearer|basic|authorization|cookie|\w*(?:token|password|passwd|secret|api_?key)\w*)/.source;
const namedSecrets = new RegExp(`\\b(${secretName}["']?\\s*[:= ]\\s*["']?)[^\\s"',;]+`, 'gi');
const tokenLike = /(?=[\w+/=-]*\d)(?=[\w+/=-]*[A-Za-z])[\w+/=-]{24,}/g;

/** What may be kept of a failure: its name, code and message on one short line, without what could be a credential. */
export function failureText(error: unknown): string {
  const { name, code, message } = factsOf(error);
  const head = [name, code].filter((part) => part !== '').join(' ');
  const clean = beginningOf(`${head}: ${message}`)
    .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .replace(urlSecrets, (_, scheme: string, _user: string | undefined, rest: string) => `${scheme}${rest}`)
    .replace(namedSecrets, `$1${CUT}`)
    .replace(tokenLike, CUT);
  return [...clean].slice(0, LONGEST).join('');
}

/** Long texts lose the word at the cut as well: half a credential no longer looks like one. */
function beginningOf(text: string): string {
  return text.length <= LONGEST_READ ? text : text.slice(0, LONGEST_READ).replace(/\S+$/, '');
}

function factsOf(error: unknown): { name: string; code: string; message: string } {
  if (!(error instanceof Error)) return { name: 'Error', code: '', message: typeof error === 'string' ? error : '' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return { name: error.name, code, message: error.message };
}
