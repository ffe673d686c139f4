import {
  type LooseObject,
  list,
  nonEmptyTexts,
  object,
  text,
  texts,
  withoutUndefined,
} from '../../json/loose-values.ts';
import type { ReportedFinding, ReportedScaMatch, ReportProduct } from '../../report-items.ts';

/** The member of a result's properties that Parapet's own exports write. */
export const PARAPET_PROPERTIES = 'parapet';

const PRODUCTS: readonly ReportProduct[] = ['sast', 'sca', 'secrets'];
const TRANSITIVITIES = ['direct', 'transitive', 'unknown'] as const;
const REACHABILITIES = ['reachable', 'always reachable', 'conditionally reachable', 'unreachable'] as const;
const VALIDATIONS = ['confirmed_valid', 'confirmed_invalid', 'validation_error', 'no_validator'] as const;
const PLACE_KINDS = ['endpoint', 'resource'] as const;
const MAX_FINGERPRINTS = 50;

const oneOf = <Name extends string>(names: readonly Name[], value: unknown): Name | undefined =>
  names.find((name) => name === value);

/** A fingerprint is written as kind and digest; the rule fingerprint is derived from the rule and not exported. */
function fingerprintOf(written: string): { kind: number; digest: string }[] {
  const [, kind, digest] = /^([1245]):([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.exec(written) ?? [];
  return kind === undefined || digest === undefined ? [] : [{ kind: Number(kind), digest }];
}

function scaOf(own: LooseObject): ReportedScaMatch | undefined {
  const name = text(own['package']);
  if (name === undefined) return undefined;
  return withoutUndefined({
    package: name,
    advisories: texts(list(own['advisories'])),
    version: text(own['version']) ?? '',
    ecosystem: text(own['ecosystem']) ?? '',
    transitivity: oneOf(TRANSITIVITIES, own['transitivity']) ?? 'unknown',
    reachability: oneOf(REACHABILITIES, own['reachability']),
    fixVersions: nonEmptyTexts(own['fixVersions']),
  });
}

function placeOf(own: LooseObject): Pick<ParapetFacts, 'path' | 'place' | 'scope'> {
  const [place, path] = [oneOf(PLACE_KINDS, own['place']), text(own['path'])];
  if (place === undefined || path === undefined) return {};
  return withoutUndefined({ place, path, scope: text(own['part']) });
}

type ParapetFacts = Partial<
  Pick<
    ReportedFinding,
    'product' | 'sca' | 'secret' | 'knownFingerprints' | 'confidence' | 'title' | 'path' | 'place' | 'scope'
  >
>;

/**
 * Facts that SARIF has no members for, as Parapet's own exports write them, so that another installation recognizes the
 * finding.
 */
export function parapetFacts(properties: LooseObject): ParapetFacts {
  const own = object(properties[PARAPET_PROPERTIES]);
  const product = oneOf(PRODUCTS, own['product']);
  if (product === undefined) return {};
  const fingerprints = texts(list(own['prints'])).slice(0, MAX_FINGERPRINTS).flatMap(fingerprintOf);
  const type = text(own['secretType']) ?? 'secret';
  const validation = oneOf(VALIDATIONS, own['validation']);
  return withoutUndefined({
    product,
    knownFingerprints: fingerprints.length > 0 ? fingerprints : undefined,
    confidence: oneOf(['high', 'medium', 'low'] as const, own['confidence']),
    title: text(own['title']),
    ...placeOf(own),
    sca: product === 'sca' ? scaOf(own) : undefined,
    secret: product === 'secrets' ? withoutUndefined({ type, validation }) : undefined,
  });
}
