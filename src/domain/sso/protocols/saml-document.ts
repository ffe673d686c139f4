import { SaxesParser, type SaxesTagNS } from 'saxes';
import { SsoRefusal } from '../sso-refusal.ts';

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';

const MAX_LENGTH = 262_144;
const MAX_ELEMENTS = 5000;
const MAX_DEPTH = 30;

/** SHA-1 and HMAC are not in these lists, and neither is any transform that could choose what is signed. */
const ALLOWED: Record<string, readonly string[]> = {
  SignatureMethod: [
    ...['256', '384', '512'].flatMap((bits) => [
      `http://www.w3.org/2001/04/xmldsig-more#rsa-sha${bits}`,
      `http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha${bits}`,
    ]),
  ],
  DigestMethod: [
    'http://www.w3.org/2001/04/xmlenc#sha256',
    'http://www.w3.org/2001/04/xmldsig-more#sha384',
    'http://www.w3.org/2001/04/xmlenc#sha512',
  ],
  CanonicalizationMethod: [EXCLUSIVE],
  Transform: [`${SIGNATURE}enveloped-signature`, EXCLUSIVE],
};

/** The parts of a signature that occur exactly once in it. */
const ONCE = ['SignedInfo', 'Reference', 'SignatureMethod', 'DigestMethod', 'DigestValue', 'SignatureValue'];

/** What the root of a response says. It is compared with the verified assertion, and never believed alone. */
export interface SamlEnvelope {
  destination: string;
  inResponseTo: string;
}

interface OpenElement {
  name: string;
  id: string;
  /** How often each part of a signature occurred, in a signature. */
  parts?: Map<string, number>;
  hasSignature: boolean;
}

const refuse = (detail: string): never => {
  throw new SsoRefusal('signature', detail);
};

const attributeOf = ({ attributes }: SaxesTagNS, name: string): string => attributes[name]?.value ?? '';

/**
 * Refuses every response whose shape leaves room for two readings, before a signature is looked at: one root, one
 * assertion directly in it, each signature directly in what it signs, no comment, entity, CDATA or processing
 * instruction, and no id twice.
 */
export function inspectSamlResponse(text: string): SamlEnvelope {
  if (text.length > MAX_LENGTH) refuse('The response is too large.');
  const inspector = new ResponseInspector();
  const parser = new SaxesParser({ xmlns: true });
  const forbid = (what: string) => () => refuse(`The response contains ${what}.`);
  parser.on('doctype', forbid('a document type'));
  parser.on('comment', forbid('a comment'));
  parser.on('cdata', forbid('a CDATA section'));
  parser.on('processinginstruction', forbid('a processing instruction'));
  parser.on('error', forbid('XML that is not well-formed'));
  parser.on('opentag', (tag) => inspector.open(tag));
  parser.on('text', (content) => inspector.text(content));
  parser.on('closetag', () => inspector.close());
  parser.write(text).close();
  return inspector.finish();
}

class ResponseInspector {
  readonly #path: OpenElement[] = [];
  readonly #ids = new Set<string>();
  #elements = 0;
  #assertions = 0;
  #signatures = 0;
  #envelope: SamlEnvelope | undefined;

  open(tag: SaxesTagNS): void {
    const depth = this.#path.length;
    const parent = this.#path.at(-1);
    if (++this.#elements > MAX_ELEMENTS || depth > MAX_DEPTH) refuse('The response has too many elements.');
    const name = this.#nameOf(tag);
    if (depth === 0) this.#openRoot(tag, name);
    if (name === 'Assertion' || name === 'EncryptedAssertion') {
      if (depth !== 1 || ++this.#assertions > 1) refuse('The response does not have exactly one assertion.');
      if (name === 'EncryptedAssertion') refuse('The assertion is encrypted; switch encryption off at the provider.');
    }
    const id = this.#idOf(tag);
    if (name === 'Signature') this.#openSignature(parent);
    this.#countPart(tag, name);
    this.#path.push({ name, id, hasSignature: false, ...(name === 'Signature' && { parts: new Map() }) });
  }

  #openRoot(tag: SaxesTagNS, name: string): void {
    if (name !== 'Response' || tag.uri !== PROTOCOL) refuse('The document is not a SAML 2.0 response.');
    this.#envelope = { destination: attributeOf(tag, 'Destination'), inResponseTo: attributeOf(tag, 'InResponseTo') };
  }

  /** The local name; the names that decide are accepted only in their own namespace. */
  #nameOf({ local, uri }: SaxesTagNS): string {
    if (/assertion$/i.test(local) && uri !== ASSERTION) refuse('An assertion is in a foreign namespace.');
    if (/^(signature|signedinfo|reference)$/i.test(local) && uri !== SIGNATURE)
      refuse('A signature is in a foreign namespace.');
    if (local === 'Response' && this.#path.length > 0) refuse('A response is inside of another element.');
    return local;
  }

  #idOf({ attributes }: SaxesTagNS): string {
    let own = '';
    for (const { local, value } of Object.values(attributes)) {
      if (!/^id$/i.test(local)) continue;
      if (own !== '' || this.#ids.has(value)) refuse('An id occurs twice.');
      own = value;
      this.#ids.add(value);
    }
    return own;
  }

  #openSignature(parent: OpenElement | undefined): void {
    const isPlaced = parent?.name === 'Response' || parent?.name === 'Assertion';
    if (!parent || !isPlaced || parent.hasSignature) refuse('A signature is where none belongs.');
    else parent.hasSignature = true;
    this.#signatures++;
  }

  #signature(): { parts: Map<string, number>; signed: OpenElement | undefined } | undefined {
    const at = this.#path.findLastIndex(({ parts }) => parts !== undefined);
    const parts = this.#path[at]?.parts;
    return parts && { parts, signed: this.#path[at - 1] };
  }

  #countPart(tag: SaxesTagNS, name: string): void {
    const signature = this.#signature();
    if (!signature) return;
    const { parts, signed } = signature;
    if (name === 'Object' || name === 'Manifest') refuse('A signature contains an object.');
    parts.set(name, (parts.get(name) ?? 0) + 1);
    if (ONCE.includes(name) && (parts.get(name) ?? 0) > 1) refuse(`A signature has more than one ${name}.`);
    const allowed = ALLOWED[name];
    const algorithm = attributeOf(tag, 'Algorithm');
    if (allowed && !allowed.includes(algorithm)) refuse(`The algorithm ${algorithm || 'of a signature'} is refused.`);
    if (name === 'Reference' && (signed?.id === '' || attributeOf(tag, 'URI') !== `#${signed?.id}`))
      refuse('A signature does not refer to the element that it is in.');
  }

  text(content: string): void {
    const name = this.#path.at(-1)?.name;
    if ((name === 'DigestValue' || name === 'SignatureValue') && !/^[\sA-Za-z\d+/=]*$/.test(content))
      refuse('A signature value is not base64.');
  }

  close(): void {
    const parts = this.#path.pop()?.parts;
    if (parts && !ONCE.every((part) => parts.get(part) === 1)) refuse('A signature is incomplete.');
  }

  finish(): SamlEnvelope {
    if (this.#assertions !== 1) refuse('The response does not have exactly one assertion.');
    if (this.#signatures === 0) refuse('Neither the response nor the assertion is signed.');
    return this.#envelope ?? refuse('The document is not a SAML 2.0 response.');
  }
}
