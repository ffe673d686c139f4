import { Serialize } from '@cyclonedx/cyclonedx-library';

type Element = Serialize.XML.Types.SimpleXml.Element;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** What XML 1.0 has no way to write, not even as a reference. */
const UNWRITABLE = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(UNWRITABLE, '')
    .replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign)
    .replace(/[\t\n\r]/g, (sign) => `&#${sign.charCodeAt(0)};`);

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

/** Writes the elements that the CycloneDX library makes; its own writer needs a package that we do not have. */
export class XmlSerializer extends Serialize.XmlBaseSerializer {
  protected _serialize(root: Element): string {
    const out = ['<?xml version="1.0" encoding="UTF-8"?>\n'];
    write(root, '', out);
    return out.join('');
  }
}
