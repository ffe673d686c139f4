import { z } from 'zod';
import { ruleProductOf } from './rules.ts';
import type { Rule } from './shape.ts';

type Selection = (rule: Rule) => boolean;

const textsOf = (rule: Rule, member: string): string[] => {
  const texts = z.array(z.string()).safeParse(rule.metadata?.[member]);
  return texts.success ? texts.data : [];
};

const hasLanguage =
  (language: string): Selection =>
  (rule) =>
    rule.languages.includes(language);
const hasTechnology =
  (...names: string[]): Selection =>
  (rule) =>
    textsOf(rule, 'technology').some((name) => names.includes(name));
const hasClass =
  (...names: string[]): Selection =>
  (rule) =>
    textsOf(rule, 'vulnerability_class').some((name) => names.includes(name));
const isSecret: Selection = (rule) => ruleProductOf(rule) === 'secrets';
const confidenceOf = (rule: Rule): unknown => rule.metadata?.['confidence'];

/** The weaknesses of MITRE's lists of 2024 and 2025. */
const CWE_TOP_25 = new Set([
  20, 22, 77, 78, 79, 89, 94, 119, 120, 121, 122, 125, 190, 200, 269, 284, 287, 306, 352, 400, 416, 434, 476, 502, 639,
  770, 787, 798, 862, 863, 918,
]);
const isTop25: Selection = (rule) =>
  textsOf(rule, 'cwe').some((text) => CWE_TOP_25.has(Number(/^CWE-(\d+)\b/.exec(text)?.[1])));

/** The rulesets by name; rules that only request lists of dependencies are in none, because they find nothing. */
const RULESETS: Readonly<Record<string, Selection>> = {
  parapet: () => true,
  default: (rule) => confidenceOf(rule) !== 'LOW',
  ci: (rule) => confidenceOf(rule) === 'HIGH' && rule.severity !== 'INFO',
  'security-audit': (rule) => !isSecret(rule),
  'owasp-top-ten': (rule) => textsOf(rule, 'owasp').length > 0,
  'cwe-top-25': isTop25,
  secrets: isSecret,

  javascript: hasLanguage('javascript'),
  typescript: hasLanguage('typescript'),
  python: hasLanguage('python'),
  go: hasLanguage('go'),
  java: hasLanguage('java'),
  ruby: hasLanguage('ruby'),
  php: hasLanguage('php'),
  csharp: hasLanguage('csharp'),
  kotlin: hasLanguage('kotlin'),

  django: hasTechnology('django'),
  flask: hasTechnology('flask'),
  fastapi: hasTechnology('fastapi'),
  nodejs: hasTechnology('node', 'express'),
  express: hasTechnology('express'),
  react: hasTechnology('react'),
  vue: hasTechnology('vue'),
  angular: hasTechnology('angular'),
  electron: hasTechnology('electron'),
  spring: hasTechnology('spring'),
  rails: hasTechnology('rails'),
  laravel: hasTechnology('laravel'),
  wordpress: hasTechnology('wordpress'),
  aspnet: hasTechnology('aspnet'),
  android: hasTechnology('android'),

  terraform: hasLanguage('terraform'),
  dockerfile: hasLanguage('dockerfile'),
  kubernetes: hasTechnology('kubernetes'),
  'github-actions': hasTechnology('github-actions'),

  'sql-injection': hasClass('SQL Injection'),
  'command-injection': hasClass('Command Injection'),
  xss: hasClass('Cross-Site Scripting (XSS)'),
  'insecure-transport': hasClass('Missing Encryption', 'Improper Certificate Validation'),
  jwt: hasTechnology('jwt'),
};

/** Further names that people type for the same rules. */
const ALIASES: Readonly<Record<string, string>> = {
  golang: 'go',
  node: 'nodejs',
  expressjs: 'express',
  'c#': 'csharp',
  docker: 'dockerfile',
  k8s: 'kubernetes',
  'r2c-ci': 'ci',
  'r2c-security-audit': 'security-audit',
  gitleaks: 'secrets',
};

/** The names of the rulesets, without aliases. */
export const RULESET_NAMES: readonly string[] = Object.keys(RULESETS);

const isSelectable: Selection = (rule) => ruleProductOf(rule) !== 'sca';

/** Whether a rule belongs to the ruleset of a name or alias; undefined if there is no such ruleset. */
export function selectionOf(name: string): Selection | undefined {
  const known = Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? name) : name;
  const belongs = Object.hasOwn(RULESETS, known) ? RULESETS[known] : undefined;
  return belongs && ((rule) => isSelectable(rule) && belongs(rule));
}

/** The paths of the rulesets that contain a shipped rule. */
export const rulesetsOf = (rule: Rule): string[] =>
  Object.entries(RULESETS)
    .filter(([, belongs]) => isSelectable(rule) && belongs(rule))
    .map(([name]) => `p/${name}`);
