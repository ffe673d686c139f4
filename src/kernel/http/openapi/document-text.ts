const MAX_LINE_LENGTH = 120;

/** An API description as the text of a file: indented, with whatever fits a line on one line. */
export const documentText = (document: object): string => `${indented(document, '')}\n`;

function indented(value: unknown, indent: string): string {
  const line = onOneLine(value);
  if (indent.length + line.length <= MAX_LINE_LENGTH || !isNested(value)) return line;
  const inner = `${indent} `;
  const items = Array.isArray(value)
    ? value.map((item) => inner + indented(item, inner))
    : membersOf(value).map(([name, item]) => `${inner}${JSON.stringify(name)}: ${indented(item, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${items.join(',\n')}\n${indent}${close}`;
}

function onOneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  const members = membersOf(value).map(([name, item]) => `${JSON.stringify(name)}: ${onOneLine(item)}`);
  return members.length ? `{ ${members.join(', ')} }` : '{}';
}

/** Words in a list stay on one line, however long it is: a change of one of them is still one line of a diff. */
const isNested = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  !(Array.isArray(value) && value.every((item) => typeof item === 'string'));

const membersOf = (value: object) => Object.entries(value).filter(([, item]) => item !== undefined);
