import { SaxesParser } from 'saxes';
import { cleanText } from '../json/parse-clean.ts';
import { ReportError } from '../report-error.ts';

/** An element with its children; names have no namespace prefix. */
export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  /** Its own text, trimmed. */
  text: string;
  /** Names of the enclosing elements, outermost first. */
  within: string[];
}

export interface XmlSelection {
  roots: readonly string[];
  hasDoctype?: boolean;
  elements: readonly string[];
  starts?: readonly string[];
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

/** A streaming XML reader that extracts selected elements; reads no DTD and no entities (UPL-04). */
export class XmlElementReader {
  readonly #parser = new SaxesParser({ xmlns: false });
  readonly #decoder = new TextDecoder('utf-8');
  readonly #ancestors: string[] = [];
  /** The selected element being read and its open descendants, innermost last. */
  readonly #open: XmlElement[] = [];
  readonly #limits: { maxDepth: number; maxValueBytes: number };
  #done: XmlElement[] = [];
  #size = 0;
  #oversizeCount = 0;

  constructor(selection: XmlSelection, limits: { maxDepth: number; maxValueBytes: number }) {
    this.#limits = limits;
    this.#parser.on('error', (error) => {
      const place = /^(\d+:\d+)/.exec(error.message)?.[1] ?? 'unknown';
      throw new ReportError('NOT_VALID', `The report is not valid XML (line and column ${place}).`);
    });
    this.#parser.on('doctype', (text) => {
      if (selection.hasDoctype === true && !/<!ENTITY/i.test(text)) return;
      throw new ReportError('NOT_VALID', 'The report has a document type declaration, which is not accepted.');
    });
    this.#parser.on('opentag', ({ name, attributes }) => this.#start(localName(name), attributes, selection));
    this.#parser.on('text', (text) => this.#addText(text));
    this.#parser.on('cdata', (text) => this.#addText(text));
    this.#parser.on('closetag', () => this.#end());
  }

  push(chunk: Buffer): XmlElement[] {
    return this.#write(this.#decoder.decode(chunk, { stream: true }));
  }

  finish(): XmlElement[] {
    const rest = this.#write(this.#decoder.decode());
    this.#parser.close();
    return rest;
  }

  /** The number of oversized elements since the last call. */
  takeOversize(): number {
    const count = this.#oversizeCount;
    this.#oversizeCount = 0;
    return count;
  }

  #write(text: string): XmlElement[] {
    this.#done = [];
    this.#parser.write(text);
    return this.#done;
  }

  #start(name: string, attributes: Record<string, string>, { roots, elements, starts = [] }: XmlSelection): void {
    if (this.#ancestors.length === 0 && !roots.includes(name)) {
      throw new ReportError('NOT_VALID', `The root element of the report is not ${roots.join(' or ')}.`);
    }
    if (this.#ancestors.length >= this.#limits.maxDepth) {
      throw new ReportError('TOO_DEEP', `The XML is nested deeper than ${this.#limits.maxDepth} levels.`);
    }
    const isInside = this.#open.length > 0;
    const isStart = starts.includes(name);
    if (isInside || isStart || elements.includes(name)) {
      const clean = Object.entries(attributes).map(([key, value]) => [localName(key), cleanText(value)]);
      const within = isInside ? [] : [...this.#ancestors];
      const element: XmlElement = { name, attributes: Object.fromEntries(clean), children: [], text: '', within };
      if (isStart && !isInside) this.#done.push(element);
      else {
        this.#size += name.length + clean.reduce((sum, [key = '', value = '']) => sum + key.length + value.length, 50);
        this.#open.push(element);
      }
      if (isInside && this.#size <= this.#limits.maxValueBytes) this.#open.at(-2)?.children.push(element);
    }
    this.#ancestors.push(name);
  }

  #addText(text: string): void {
    const element = this.#open.at(-1);
    if (!element) return;
    this.#size += text.length;
    if (this.#size <= this.#limits.maxValueBytes) element.text += text;
  }

  #end(): void {
    this.#ancestors.pop();
    const element = this.#open.pop();
    if (!element) return;
    element.text = element.text.trim();
    if (this.#open.length > 0) return;
    if (this.#size > this.#limits.maxValueBytes) this.#oversizeCount++;
    else this.#done.push(element);
    this.#size = 0;
  }
}

export const childrenNamed = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? [];

export const childNamed = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((child) => child.name === name);

/** The non-empty text of a child. */
export const childText = (element: XmlElement | undefined, name: string): string | undefined =>
  childNamed(element, name)?.text || undefined;
