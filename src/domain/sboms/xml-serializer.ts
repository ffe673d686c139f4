import { Serialize } from '@cyclonedx/cyclonedx-library';

type Element = Serialize.XML.Types.SimpleXml.Element;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Characters that XML 1.0 cannot represent, not even as a reference. */
const UNREPRESENTABLE = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(UNREPRESENTABLE, '')
    .replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character)
    .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);

function write(element: Element, outer: string, out: string[]): void {
  const namespace = String(element.namespace ?? element.attributes?.['xmlns'] ?? outer);
  out.push(`<${element.name}`);
  if (namespace !== outer) out.push(` xmlns="${escapeXml(namespace)}"`);
  for (const [name, value] of Object.entries(element.attributes ?? {}))
    if (value !== undefined && name !== 'xmlns') out.push(` ${name}="${escapeXml(String(value))}"`);
  const { children } = element;
  if (children === undefined) {
    out.push('/>');
    return;
  }
  out.push('>');
  if (typeof children === 'string' || typeof children === 'number') out.push(escapeXml(String(children)));
  else for (const child of children) if (child.type === 'element') write(child, namespace, out);
  out.push(`</${element.name}>`);
}

/** Serializes the elements of the CycloneDX library, whose own serializer needs a package that we do not use. */
export class XmlSerializer extends Serialize.XmlBaseSerializer {
  protected _serialize(root: Element): string {
    const out = ['<?xml version="1.0" encoding="UTF-8"?>\n'];
    write(root, '', out);
    return out.join('');
  }
}
