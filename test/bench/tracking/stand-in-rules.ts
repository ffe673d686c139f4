import type { Snapshot } from './git-history.ts';

/** What a rule found: one line of a file. */
export interface Hit {
  rule: string;
  path: string;
  line: number;
  column: number;
  code: string;
  context: string;
  /** The enclosing top-level declaration. */
  scope: string;
}

/** Patterns that stand in for the rules of a scanner: some match rare code, others many equal lines. */
const RULES: Record<string, RegExp> = {
  'throws-error': /\bthrow new \w+/,
  'parses-json': /\bJSON\.(parse|stringify)\(/,
  'asserts-equality': /\bassert\.(equal|deepEqual)\(/,
  'casts-type': /\bas (unknown|string|never|object)\b/,
  'ignores-absence': /\?\? ['"[{]/,
  'returns-undefined': /\breturn( undefined)?;/,
  'builds-array': /\bArray\.from\(/,
  'forbids-null': /\bnot null\b/,
};

const CONTEXT_LINES = 2;
const DECLARATION = /^(?:export )?(?:default )?(?:async )?(?:function\*?|class|const|interface|create table) (\w+)/;
const METHOD = /^ {2}(?:static )?(?:async )?[#]?(\w+)\(/;

function hitsInFile(path: string, lines: readonly string[]): Hit[] {
  const hits: Hit[] = [];
  let [declaration, method] = ['', ''];
  for (const [index, text] of lines.entries()) {
    const declared = DECLARATION.exec(text)?.[1];
    if (declared !== undefined) [declaration, method] = [declared, ''];
    method = METHOD.exec(text)?.[1] ?? method;
    for (const [rule, pattern] of Object.entries(RULES)) {
      const match = pattern.exec(text);
      if (!match) continue;
      const context = lines.slice(Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1).join('\n');
      const scope = [declaration, method].filter((name) => name !== '').join('.');
      hits.push({ rule, path, line: index + 1, column: match.index + 1, code: text.trim(), context, scope });
    }
  }
  return hits;
}

export const hitsOf = (snapshot: Snapshot): Hit[] => [...snapshot].flatMap(([path, lines]) => hitsInFile(path, lines));

export const ruleIds = Object.keys(RULES);
