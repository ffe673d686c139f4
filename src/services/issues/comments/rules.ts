const MENTION = /(?:^|[\s(>*_~"'])@([\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,8})/giu;
/** More people than this are not a mention but a mailing. */
const MAX_MENTIONS = 20;

/** The addresses that a text mentions, in lower case. */
export function mentionedAddresses(text: string): string[] {
  const addresses = [...text.matchAll(MENTION)].map(([, address = '']) => address.toLowerCase());
  return [...new Set(addresses)].slice(0, MAX_MENTIONS);
}
