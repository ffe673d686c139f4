import type { RuleTestResult } from './contract.ts';

/** A comment that says whether a rule must match the next line of code. */
export interface RuleAnnotation {
  kind: 'ruleid' | 'ok' | 'todoruleid' | 'todook';
  ruleId: string;
  /** The line of code, counted from 1. */
  line: number;
}

/** A comment of any language, whose text is an annotation. Ids are separated by commas. */
const COMMENT_START = "#|//|/\\*|<!--|\\(\\*|--|;|%|'";
const RULE_ID = '[\\w.-]{1,200}';
const ANNOTATION = new RegExp(
  `(?:${COMMENT_START})\\s*(todoruleid|todook|ruleid|ok)\\s*:\\s*(${RULE_ID}(?:\\s*,\\s*${RULE_ID}){0,19})`,
);
const MAX_ANNOTATIONS = 1000;
const MAX_LINE_LENGTH = 4096;

/** The annotations of the code. Several in a row are about the same line, which follows the last one. */
export function annotationsOf(target: string): RuleAnnotation[] {
  const found: RuleAnnotation[] = [];
  let open: Omit<RuleAnnotation, 'line'>[] = [];
  for (const [index, text] of target.split('\n').entries()) {
    const [, kind, ids] = ANNOTATION.exec(text.slice(0, MAX_LINE_LENGTH)) ?? [];
    if (kind !== undefined && ids !== undefined)
      open.push(...ids.split(',').map((id) => ({ kind: kind as RuleAnnotation['kind'], ruleId: id.trim() })));
    else if (text.trim() !== '') {
      found.push(...open.map((one) => ({ ...one, line: index + 1 })));
      open = [];
    }
    if (found.length >= MAX_ANNOTATIONS) break;
  }
  return found.slice(0, MAX_ANNOTATIONS);
}

/** A match of a rule, at the line where it starts. */
export interface RuleMatch {
  ruleId: string;
  line: number;
}

/** The result of each annotation, given what the rules matched. */
export function testResultsOf(annotations: readonly RuleAnnotation[], matches: readonly RuleMatch[]): RuleTestResult[] {
  const matched = new Set(matches.map(({ ruleId, line }) => `${line} ${ruleId}`));
  return annotations.map(({ kind, ruleId, line }) => {
    const isMatched = matched.has(`${line} ${ruleId}`);
    const mustMatch = kind === 'ruleid' || kind === 'todoruleid';
    const status = mustMatch === isMatched ? 'passed' : kind.startsWith('todo') ? 'todo' : 'failed';
    return { must_match: mustMatch, line_no: line, rule_id: ruleId, status, message: messageOf(status, mustMatch) };
  });
}

function messageOf(status: string, mustMatch: boolean): string {
  if (status === 'passed') return mustMatch ? 'The rule matches this line.' : 'The rule does not match this line.';
  const what = mustMatch ? 'The rule does not match this line yet.' : 'The rule still matches this line.';
  if (status === 'todo') return what;
  return mustMatch ? 'The rule must match this line but does not.' : 'The rule must not match this line but does.';
}
