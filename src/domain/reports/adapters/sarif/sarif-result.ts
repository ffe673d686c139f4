import { pathOfUri } from '../../identity/report-paths.ts';
import { fingerprintsOf, usableId } from '../../identity/tool-ids.ts';
import {
  type LooseObject,
  list,
  nonEmptyTexts,
  number,
  object,
  objects,
  position,
  text,
  texts,
  withoutUndefined,
} from '../../json/loose-values.ts';
import type { ReportedDecision, ReportedFinding, ReportItem, SourceRegion, TraceStep } from '../../report-items.ts';
import { matchIn, unquoted, withoutSecret } from '../mask-secrets.ts';
import { endpointResult } from '../result-items.ts';
import { cwesIn, severityOf, severityOfScore } from '../taxonomy.ts';
import { parapetFacts } from './parapet-properties.ts';
import { isSecretsRuleId, messageOf, type SarifRule } from './sarif-rule.ts';

/** State of a run while its results are read. */
export interface SarifRun {
  tool: string | undefined;
  version: string | undefined;
  category: string | undefined;
  isSecretsTool: boolean;
  /** Rules known to detect secrets before the run says so. */
  secretRules: ReadonlySet<string>;
  /** Rules whose results were not treated as secrets. */
  rulesReadAsCode: Set<string>;
  rules: Map<string, SarifRule>;
  /** Rule ids of the driver, in its order. */
  ruleIds: string[];
  artifacts: string[];
  /** The result refers to an artifact by index, so that it depends on more than its own bytes. */
  hasIndexReference: boolean;
}

/** The rule of results that name none, which SARIF allows. */
const UNNAMED_RULE = 'no-rule-id';

const NOT_PROBLEMS = new Set(['pass', 'notApplicable', 'informational']);

/** The items of one result: a finding, and its suppression. */
export function* sarifResult(result: LooseObject, state: SarifRun, run: number): Iterable<ReportItem> {
  if (text(result['baselineState']) === 'absent' || NOT_PROBLEMS.has(text(result['kind']) ?? '')) return;
  const rule = ruleIdOf(result, state) ?? text(object(result['message'])['id']) ?? UNNAMED_RULE;
  if (rule === UNNAMED_RULE) yield { kind: 'warning', message: `A result names no rule; its rule is ${UNNAMED_RULE}.` };
  const decision = decisionOf(result);
  const finding = findingOf(result, rule, state);
  if (decision === 'in code') finding.isIgnoredInCode = true;
  const placed = endpointFinding(finding, result) ?? withoutSecret(finding);
  yield Object.assign(placed, { kind: 'finding' as const, run });
  if (typeof decision === 'object') yield { kind: 'decision', ...decision, run };
}

function ruleIdOf(result: LooseObject, state: SarifRun): string | undefined {
  const reference = object(result['rule']);
  const index = number(result['ruleIndex']) ?? number(reference['index']);
  const isOfExtension = Object.keys(object(reference['toolComponent'])).length > 0;
  const listed = index === undefined || isOfExtension ? undefined : state.ruleIds[index];
  const own = text(result['ruleId']) ?? text(reference['id']) ?? listed;
  // A hierarchical id (`CA1000/1`) refers to the listed rule.
  return listed !== undefined && own?.startsWith(`${listed}/`) ? listed : own;
}

function findingOf(result: LooseObject, rule: string, state: SarifRun): ReportedFinding {
  const known = state.rules.get(rule);
  const location = object(list(result['locations'])[0]);
  const { path, region, code, context } = placeOf(location, state);
  const properties = object(result['properties']);
  const score = number(properties['security-severity']);
  const isSecret =
    state.isSecretsTool ||
    known?.rule.product === 'secrets' ||
    state.secretRules.has(rule) ||
    (known === undefined && isSecretsRuleId(rule));
  if (!isSecret) state.rulesReadAsCode.add(rule);
  const ids = { ...object(result['partialFingerprints']), ...object(result['fingerprints']) };
  const fingerprints = fingerprintsOf(ids);
  const own = score === undefined ? (known?.scored ?? severityOf(result['level'])) : severityOfScore(score);
  const message = messageText(result['message']) ?? known?.rule.title ?? rule;
  return withoutUndefined({
    product: isSecret ? ('secrets' as const) : ('sast' as const),
    rule,
    path,
    region,
    message,
    severity: own,
    cwes: cwesIn(objects(result['taxa']).flatMap((taxon) => texts(taxon['id']).map((id) => cweId(taxon, id)))),
    references: nonEmptyTexts(result['hostedViewerUri']),
    code,
    context,
    scope: scopeOf(location),
    fingerprints,
    matchBasedId: usableId(text(ids['matchBasedId/v1'])),
    fix: fixOf(result),
    trace: traceOf(result, state),
    secret: isSecret ? withoutUndefined({ type: rule, value: secretIn(code, region) }) : undefined,
    ...parapetFacts(properties),
  });
}

const WEB_ADDRESS = /^https?:\/\/[^/]/i;

/** Web scanners give the address of a page as the artifact: a place of a service and not a file (ADR 43). */
function endpointFinding(finding: ReportedFinding, result: LooseObject): ReportedFinding | undefined {
  const location = object(list(result['locations'])[0]);
  const uri = text(object(object(location['physicalLocation'])['artifactLocation'])['uri']) ?? '';
  if (!WEB_ADDRESS.test(uri) || finding.place !== undefined || finding.sca !== undefined) return undefined;
  const item = endpointResult({
    rule: finding.rule,
    message: finding.message,
    url: uri,
    method: object(result['webRequest'])['method'],
    parameter: object(result['properties'])['param'],
    evidence: finding.code,
  });
  if (item.kind !== 'finding') return undefined;
  const { code: _code, context: _context, scope: _scope, secret: _secret, ...shared } = finding;
  const { message, path, place, region, fingerprints, scope } = item;
  const own = { message, path, region, fingerprints, product: 'sast' as const };
  return { ...shared, ...own, ...withoutUndefined({ place, scope }) };
}

const cweId = (taxon: LooseObject, id: string) =>
  /^cwe$/i.test(text(object(taxon['toolComponent'])['name']) ?? '') && /^\d+$/.test(id) ? `CWE-${id}` : id;

const MAX_ARGUMENT_LENGTH = 1000;
const MAX_ARGUMENTS = 100;

/** SARIF messages have placeholders `{0}`, `{1}`; one argument can be used more than once. */
function messageText(value: unknown): string | undefined {
  const given = texts(list(object(value)['arguments']));
  let left = MAX_ARGUMENTS;
  return messageOf(value)?.replace(/\{(\d+)\}/g, (whole, index: string) =>
    left-- > 0 ? (given[Number(index)]?.slice(0, MAX_ARGUMENT_LENGTH) ?? whole) : whole,
  );
}

function placeOf(location: LooseObject, state: SarifRun) {
  const physical = object(location['physicalLocation']);
  const artifact = object(physical['artifactLocation']);
  const uri = text(artifact['uri']);
  const region = object(physical['region']);
  return {
    path: uri === undefined ? artifactAt(number(artifact['index']), state) : pathOfUri(uri),
    region: regionOf(region),
    code: messageOf(region['snippet']),
    context: messageOf(object(physical['contextRegion'])['snippet']),
  };
}

function artifactAt(index: number | undefined, state: SarifRun): string {
  if (index === undefined) return '';
  state.hasIndexReference = true;
  return state.artifacts[index] ?? '';
}

function regionOf(region: LooseObject): SourceRegion {
  const line = position(region['startLine']);
  const endLine = position(region['endLine']) || line;
  return { line, column: position(region['startColumn']), endLine, endColumn: position(region['endColumn']) };
}

const scopeOf = (location: LooseObject): string | undefined => {
  const logical = object(list(location['logicalLocations'])[0]);
  return text(logical['fullyQualifiedName']) ?? text(logical['decoratedName']) ?? text(logical['name']);
};

/** A result is suppressed if all of its suppressions are accepted (SARIF 3.27.23). */
function decisionOf(result: LooseObject): ReportedDecision | 'in code' | undefined {
  const all = objects(result['suppressions']);
  const statusOf = (entry: LooseObject) => text(entry['status']) ?? 'accepted';
  const note = all.map((entry) => text(entry['justification'])).find((words) => words !== undefined);
  if (all.length === 0 || all.some((entry) => statusOf(entry) === 'rejected')) return undefined;
  if (all.some((entry) => statusOf(entry) === 'underReview'))
    return { source: 'sarif', state: 'reviewing', ...withoutUndefined({ note }) };
  if (all.some((entry) => text(entry['kind']) === 'inSource')) return 'in code';
  return { source: 'sarif', state: 'ignored', ...withoutUndefined({ note }) };
}

function fixOf(result: LooseObject): string | undefined {
  const fix = object(list(result['fixes'])[0]);
  const change = object(list(fix['artifactChanges'])[0]);
  return messageOf(object(object(list(change['replacements'])[0])['insertedContent']));
}

function traceOf(result: LooseObject, state: SarifRun): TraceStep[][] | undefined {
  const flows = objects(result['codeFlows']).flatMap((flow) =>
    objects(flow['threadFlows']).map((thread) =>
      objects(thread['locations']).map((step): TraceStep => {
        const location = object(step['location']);
        const { path, region, code } = placeOf(location, state);
        return withoutUndefined({ path, region, message: messageOf(location['message']), code });
      }),
    ),
  );
  return flows.length > 0 ? flows : undefined;
}

/** A snippet is either the match alone or whole lines. */
function secretIn(code: string | undefined, { column, endColumn, line, endLine }: SourceRegion): string | undefined {
  if (code === undefined) return undefined;
  const isMatchAlone = line === endLine && endColumn > column && code.length === endColumn - column;
  return isMatchAlone || endColumn === 0 ? unquoted(code.trim()) : matchIn(code, column, endColumn);
}
