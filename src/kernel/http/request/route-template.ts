/** One segment of a route template, in the order of preference when several match. */
export type TemplatePart =
  | { kind: 'literal'; text: string }
  | { kind: 'suffixed'; name: string; suffix: string }
  | { kind: 'parameter'; name: string }
  | { kind: 'rest'; name: string };

const LITERAL = /^[A-Za-z0-9._~:-]+$/;
const PARAMETER = /^\{([A-Za-z][A-Za-z0-9_]*)(\.\.\.)?\}(?::([A-Za-z0-9._~-]+))?$/;

/** Parses a route template; an invalid template is a programming error, so it throws. */
export function parseTemplate(template: string): TemplatePart[] {
  if (template === '/') return [];
  if (!template.startsWith('/')) throw new Error(`The template "${template}" must start with a slash.`);
  const parts = template
    .slice(1)
    .split('/')
    .map((segment) => partOf(segment, template));
  const names = parts.flatMap((part) => (part.kind === 'literal' ? [] : [part.name]));
  if (new Set(names).size < names.length) throw new Error(`The template "${template}" names a parameter twice.`);
  if (parts.filter((part) => part.kind === 'rest').length > 1) {
    throw new Error(`The template "${template}" has more than one rest parameter.`);
  }
  return parts;
}

function partOf(segment: string, template: string): TemplatePart {
  if (LITERAL.test(segment) && segment !== '.' && segment !== '..') return { kind: 'literal', text: segment };
  const [, name, dots, suffix] = PARAMETER.exec(segment) ?? [];
  const isRestWithSuffix = dots !== undefined && suffix !== undefined;
  if (name === undefined || isRestWithSuffix) {
    throw new Error(`The segment "${segment}" of the template "${template}" is invalid.`);
  }
  if (dots !== undefined) return { kind: 'rest', name };
  return suffix === undefined ? { kind: 'parameter', name } : { kind: 'suffixed', name, suffix };
}
