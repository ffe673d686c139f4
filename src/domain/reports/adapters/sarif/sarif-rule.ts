import {
  list,
  nonEmptyTexts,
  number,
  object,
  objects,
  text,
  texts,
  withoutUndefined,
} from '../../json/loose-values.ts';
import type { ReportedRule, Severity } from '../../report-items.ts';
import { confidenceOf, cwesIn, owaspsIn, severityOf, severityOfScore } from '../taxonomy.ts';

/** A rule, and the properties that its results inherit. */
export interface SarifRule {
  rule: ReportedRule;
  /** Severity of its security-severity score, which takes precedence over the level of a result. */
  scored: Severity | undefined;
  cwes: string[] | undefined;
}

const SECRETS_TOOLS = /gitleaks|trufflehog|secretlint|detect-secrets|ggshield|gitguardian|talisman|noseyparker/i;
const SECRETS_TAG = /^(secrets?|secret[- _]detection|credentials?)$/i;

const SECRETS_ID =
  /(^|[./:_ -])(secrets|gitleaks|secretlint(-rule)?|detected-[\w-]*(key|token|secret|password))($|[./:_ -])/i;

export const isSecretsTool = (name: string): boolean => SECRETS_TOOLS.test(name);

/** True for rule ids that name secret detection, whatever the tool; narrow, because it determines the product. */
export const isSecretsRuleId = (id: string): boolean => SECRETS_ID.test(id.slice(0, 300));

export function sarifRule(value: Record<string, unknown>): SarifRule | undefined {
  const id = text(value['id']);
  if (id === undefined) return undefined;
  const properties = object(value['properties']);
  const tags = texts(list(properties['tags']));
  const score = number(properties['security-severity']);
  const scored = score === undefined ? undefined : severityOfScore(score);
  const related = objects(value['relationships']).flatMap((entry) => texts(object(entry['target'])['id']));
  const cwes = cwesIn([...tags, ...related, ...texts(properties['cwe'])]);
  const isSecrets = tags.some((tag) => SECRETS_TAG.test(tag)) || isSecretsRuleId(id);
  const rule = withoutUndefined({
    id,
    product: isSecrets ? ('secrets' as const) : undefined,
    title: messageOf(value['shortDescription']) ?? text(value['name']),
    description: messageOf(value['fullDescription']) ?? messageOf(value['help']),
    severity: scored ?? severityOf(object(value['defaultConfiguration'])['level']),
    confidence: confidenceOf(properties['precision']) ?? taggedConfidence(tags),
    category: text(properties['category']),
    cwes,
    owasps: owaspsIn(tags),
    references: nonEmptyTexts(properties['references']),
    helpUrl: text(value['helpUri']),
  });
  return { rule, scored, cwes };
}

export const messageOf = (value: unknown): string | undefined =>
  text(object(value)['text']) ?? text(object(value)['markdown']);

/** Semgrep writes its confidence as a tag, `HIGH CONFIDENCE`. */
const taggedConfidence = (tags: string[]) =>
  confidenceOf(tags.map((tag) => /^(\w+) CONFIDENCE$/.exec(tag)?.[1]).find((word) => word !== undefined));
