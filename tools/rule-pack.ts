import { existsSync, globSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { Rule } from '#domain/rules/shape.ts';

const RuleFile = z.object({ rules: z.array(Rule) });

/** The files of the rule pack; `.test.yaml` is an example that happens to be YAML. */
export const ruleFiles = (): string[] => globSync('rules/*/*.yaml', { exclude: ['**/*.test.yaml'] }).sort();

/** The rules of the pack, from their YAML. */
export const readRules = (): Rule[] =>
  ruleFiles().flatMap((file) => RuleFile.parse(parse(readFileSync(file, 'utf8'))).rules);

/** All rules as one JSON text, a line for each: the server reads it at once, while the YAML takes a second. */
export const packText = (): string =>
  `[\n${readRules()
    .map((rule) => JSON.stringify(rule))
    .join(',\n')}\n]\n`;

/** The matches of the rules in projects that are kept well, as `measure-rules.ts` counted them. */
export const MEASURED = 'rules/measured.json';
const MeasuredProject = z.object({
  project: z.string(),
  files: z.number(),
  matches: z.record(z.string(), z.number()),
});
export type MeasuredProject = z.output<typeof MeasuredProject>;

export const readMeasured = (): MeasuredProject[] =>
  existsSync(MEASURED) ? z.array(MeasuredProject).parse(JSON.parse(readFileSync(MEASURED, 'utf8'))) : [];
