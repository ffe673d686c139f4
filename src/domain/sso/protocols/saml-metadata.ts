import { SaxesParser } from 'saxes';

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const MAX_DEPTH = 30;

/** What the metadata of an identity provider says about signing in. */
export interface IdpMetadata {
  idpIssuer: string;
  idpSsoUrl: string;
  /** Signing certificates, in base64: one, or two while the provider rolls over. */
  certificates: string[];
}

class UnreadableMetadata extends Error {}

/**
 * Reads the metadata of one identity provider; undefined if it is none. An administrator pastes or names it, and its
 * certificates are trusted because the administrator does.
 */
export function readIdpMetadata(text: string): IdpMetadata | undefined {
  const found: IdpMetadata = { idpIssuer: '', idpSsoUrl: '', certificates: [] };
  const path: string[] = [];
  let entities = 0;
  let isSigning = true;
  let certificate = '';
  const fail = () => {
    throw new UnreadableMetadata();
  };
  const parser = new SaxesParser({ xmlns: true });
  parser.on('doctype', fail);
  parser.on('error', fail);
  parser.on('opentag', ({ local, uri, attributes }) => {
    const of = (name: string) => attributes[name]?.value ?? '';
    path.push(local);
    if (path.length > MAX_DEPTH) fail();
    if (local === 'EntityDescriptor' && uri === METADATA) {
      if (++entities > 1) fail();
      found.idpIssuer = of('entityID');
    }
    if (local === 'KeyDescriptor') isSigning = of('use') !== 'encryption';
    if (local === 'SingleSignOnService' && of('Binding') === REDIRECT) found.idpSsoUrl = of('Location');
  });
  parser.on('text', (content) => {
    if (path.at(-1) === 'X509Certificate' && path.includes('IDPSSODescriptor') && isSigning) certificate += content;
  });
  parser.on('closetag', () => {
    if (path.pop() !== 'X509Certificate' || certificate === '') return;
    found.certificates.push(certificate.replace(/\s+/g, ''));
    certificate = '';
  });
  try {
    parser.write(text).close();
  } catch (error) {
    if (error instanceof UnreadableMetadata) return undefined;
    throw error;
  }
  const certificates = [...new Set(found.certificates)].slice(0, 2);
  const isComplete = found.idpIssuer !== '' && found.idpSsoUrl !== '' && certificates.length > 0;
  return isComplete ? { ...found, certificates } : undefined;
}
