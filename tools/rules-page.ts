import { RULESET_NAMES, selectionOf } from '#domain/rules/rulesets.ts';
import type { Rule } from '#domain/rules/shape.ts';
import type { MeasuredProject } from './rule-pack.ts';
import { readMeasured, readRules } from './rule-pack.ts';

/** The page about the shipped rules, from the rules and from what was measured. */

type Table = (head: string[], rows: string[][]) => string;

const textOf = (rule: Rule, member: string): string => {
  const value = rule.metadata?.[member];
  return [value]
    .flat()
    .filter((one) => typeof one === 'string')
    .join(', ');
};

const sum = (counts: readonly number[]): number => counts.reduce((total, next) => total + next, 0);

const matchesOf = (id: string, measured: readonly MeasuredProject[]): string => {
  const counts = measured.flatMap(({ matches }) => matches[id] ?? []);
  return counts.length === 0 ? '0' : `${sum(counts)} in ${counts.length}`;
};

const cwesOf = (rule: Rule): string => textOf(rule, 'cwe').replace(/(CWE-\d+): [^,]*(?:,(?! CWE)[^,]*)*/g, '$1');

export function rulesPage(generated: string, table: Table): string {
  const rules = readRules();
  const measured = readMeasured();
  const rulesets = RULESET_NAMES.map((name) => {
    const belongs = selectionOf(name);
    return [`\`p/${name}\``, String(rules.filter((rule) => belongs?.(rule)).length)];
  });
  const rows = rules.map((rule) => [
    `\`${rule.id}\``,
    rule.severity,
    textOf(rule, 'confidence'),
    cwesOf(rule),
    textOf(rule, 'technology'),
    matchesOf(rule.id, measured),
  ]);
  const projects = measured.map(({ project, files, matches }) => [
    project,
    String(files),
    String(sum(Object.values(matches))),
  ]);
  const silent = rules.filter(({ id }) => measured.every(({ matches }) => matches[id] === undefined)).length;
  const intro =
    `${rules.length} rules. The last column counts the matches in ${measured.length} projects that are kept well ` +
    `(${sum(measured.map(({ files }) => files))} files, without tests and dependencies), and in how many of them: the ` +
    'fewer, the fewer false alarms are to be expected. A match there is not always a false one: several are flaws, or ' +
    `things that a framework must do and an application should not. ${silent} rules match nowhere in them.`;
  return [
    `# Rules\n\n${generated}${intro}`,
    `## Rulesets\n\n${table(['Ruleset', 'Rules'], rulesets)}`,
    `## All rules\n\n${table(['Rule', 'Severity', 'Confidence', 'Weakness', 'Technology', 'Matches'], rows)}`,
    `## Projects\n\n${table(['Project', 'Files', 'Matches'], projects)}\n`,
  ].join('\n\n');
}
