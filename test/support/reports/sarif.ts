/** A line of generated code with a finding. */
export interface CheckerHit {
  rule: string;
  title: string;
  path: string;
  /** The lines of the file; the match is on the line that contains `match`. */
  lines: readonly string[];
  match: string;
  message?: string;
  fix?: string;
  /** Other lines of the same file on the data flow, from the source on, by words they contain. */
  flow?: readonly string[];
  /** From 0 to 10. */
  score?: number;
}

const lineOf = ({ lines }: CheckerHit, words: string) => lines.findIndex((line) => line.includes(words)) + 1;

function location(hit: CheckerHit, line: number) {
  const text = hit.lines[line - 1] ?? '';
  const startColumn = text.length - text.trimStart().length + 1;
  const around = hit.lines.slice(Math.max(0, line - 3), line + 2).join('\n');
  return {
    physicalLocation: {
      artifactLocation: { uri: hit.path },
      region: { startLine: line, endLine: line, startColumn, endColumn: text.length + 1, snippet: { text } },
      contextRegion: { startLine: Math.max(1, line - 2), snippet: { text: around } },
    },
  };
}

function result(hit: CheckerHit) {
  const line = lineOf(hit, hit.match);
  const way = [...(hit.flow ?? []), hit.match].map((words) => ({ location: location(hit, lineOf(hit, words)) }));
  const change = { deletedRegion: { startLine: line }, insertedContent: { text: hit.fix } };
  return {
    ruleId: hit.rule,
    message: { text: hit.message ?? hit.title },
    locations: [location(hit, line)],
    ...(hit.flow && { codeFlows: [{ threadFlows: [{ locations: way }] }] }),
    ...(hit.fix !== undefined && {
      fixes: [{ artifactChanges: [{ artifactLocation: { uri: hit.path }, replacements: [change] }] }],
    }),
  };
}

/** The SARIF report of an invented scanner. */
export function sarifOf(hits: readonly CheckerHit[]): string {
  const rules = hits.map(({ rule, title, score = 7.5 }) => ({
    id: rule,
    shortDescription: { text: title },
    properties: { tags: ['security', 'external/cwe/cwe-089'], 'security-severity': String(score), precision: 'high' },
  }));
  const unique = [...new Map(rules.map((rule) => [rule.id, rule])).values()];
  const run = { tool: { driver: { name: 'checker', rules: unique } }, results: hits.map(result) };
  return JSON.stringify({ version: '2.1.0', runs: [run] });
}
