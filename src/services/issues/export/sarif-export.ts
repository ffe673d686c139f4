import { z } from 'zod';
import { findingById, primaryLocationOf } from '#domain/findings/filter/locations.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';

const texts = z.array(z.string());

/** The data of one SARIF result. */
const Row = z.object({
  id: z.string(),
  product: z.string(),
  tool: z.string(),
  rule: z.string(),
  title: z.string(),
  message: z.string(),
  severity: z.int(),
  confidence: z.int(),
  category: z.string(),
  cwes: texts,
  owasps: texts,
  path: z.string(),
  place_kind: z.string(),
  line: z.int(),
  start_column: z.int(),
  end_line: z.int(),
  end_column: z.int(),
  code: z.string().optional(),
  scope: z.string().optional(),
  context: z.string().optional(),
  match_based_id: z.string().optional(),
  is_muted: z.boolean(),
  is_ignored: z.boolean(),
  note: z.string().optional(),
  advisories: texts.optional(),
  package: z.string().optional(),
  package_version: z.string().optional(),
  ecosystem: z.string().optional(),
  transitivity: z.string().optional(),
  reachability: z.string().optional(),
  fix_versions: texts.optional(),
  secret_type: z.string().optional(),
  validation: z.string().optional(),
  help_url: z.string().optional(),
  project: z.string(),
  first_seen_at: z.string(),
  prints: texts,
});
export type SarifRow = z.output<typeof Row>;

/** The findings with these ids, in the given order, with their fingerprints. */
export const findSarifRows = (tx: Tx, ids: readonly string[]): Promise<SarifRow[]> =>
  tx.all(Row)`
    select finding.id, finding.product, finding.tool, finding.rule, finding.title, finding.message, finding.severity,
      finding.confidence, finding.category, finding.cwes, finding.owasps, place.path, finding.place_kind,
      place.line, place.start_column, place.end_line, place.end_column, finding.code, finding.scope, finding.context,
      finding.match_based_id,
      place.is_muted, finding.triage_state = 'ignored' as is_ignored, finding.triage_note as note,
      finding.detail->'advisories' as advisories, finding.package, finding.package_version, finding.ecosystem,
      finding.transitivity, finding.reachability, finding.detail->'fixVersions' as fix_versions, finding.secret_type,
      finding.validation, finding.detail->>'helpUrl' as help_url, project.name as project, finding.first_seen_at,
      array(select print.kind || ':' || print.digest from fingerprint as print
        where print.deployment_id = finding.deployment_id and print.finding_id = finding.id and print.kind <> 3
        order by 1) as prints
    from unnest(${ids}::bigint[]) with ordinality as listed (id, position)
    cross join ${findingById(sql`listed.id`)}
    join project on project.deployment_id = finding.deployment_id and project.id = finding.project_id
    cross join lateral (${primaryLocationOf({ isAnywhere: true })}) as place
    order by listed.position`;

export const SARIF_LEVELS = ['none', 'note', 'warning', 'error', 'error'];
/** Scores that map back to the same severity on import, because SARIF has fewer levels. */
export const SECURITY_SEVERITY_SCORES = [undefined, '2.0', '5.0', '8.0', '9.5'];
const CONFIDENCES = [undefined, 'low', 'medium', 'high'];

const ifDefined = <Value>(value: Value | undefined, make: (value: Value) => object) =>
  value === undefined ? {} : make(value);

/** Leaves out unknown positions, which are 0; SARIF counts from 1. */
function regionOf(row: SarifRow): object {
  const positions = [
    ['startLine', row.line],
    ['startColumn', row.start_column],
    ['endLine', row.end_line],
    ['endColumn', row.end_column],
  ] as const;
  return {
    ...Object.fromEntries(positions.filter(([, position]) => position > 0)),
    ...ifDefined(row.code, (text) => ({ snippet: { text } })),
  };
}

export const uriPathOf = (path: string) => path.split('/').map(encodeURIComponent).join('/');

function locationOf(row: SarifRow): object {
  if (row.place_kind !== 'file') {
    const logical = { fullyQualifiedName: row.path, kind: row.place_kind };
    const uri = row.place_kind === 'endpoint' ? { physicalLocation: { artifactLocation: { uri: row.path } } } : {};
    return { ...uri, logicalLocations: [logical] };
  }
  const context = row.line > 0 ? row.context : undefined;
  return {
    physicalLocation: {
      artifactLocation: { uri: uriPathOf(row.path) },
      region: regionOf(row),
      ...ifDefined(context, (text) => ({ contextRegion: { startLine: Math.max(1, row.line - 2), snippet: { text } } })),
    },
    ...ifDefined(row.scope, (fullyQualifiedName) => ({ logicalLocations: [{ fullyQualifiedName }] })),
  };
}

/** Properties that SARIF does not define; our importer reads them. */
function parapetProperties(row: SarifRow): object {
  return {
    id: row.id,
    project: row.project,
    firstSeenAt: row.first_seen_at,
    product: row.product === 'ai_sast' ? 'sast' : row.product,
    title: row.title,
    ...(row.place_kind === 'file' ? {} : { place: row.place_kind, path: row.path, part: row.scope }),
    ...ifDefined(CONFIDENCES[row.confidence], (confidence) => ({ confidence })),
    ...ifDefined(row.package, (name) => ({ package: name, version: row.package_version, ecosystem: row.ecosystem })),
    ...ifDefined(row.advisories, (advisories) => ({ advisories })),
    ...ifDefined(row.fix_versions, (fixVersions) => ({ fixVersions })),
    ...ifDefined(row.transitivity, (transitivity) => ({ transitivity })),
    ...ifDefined(row.reachability, (reachability) => ({ reachability })),
    ...ifDefined(row.secret_type, (secretType) => ({ secretType })),
    ...ifDefined(row.validation, (validation) => ({ validation })),
    prints: row.prints,
  };
}

function suppressionsOf({ is_muted: isMuted, is_ignored: isIgnored, note }: SarifRow): object {
  if (isMuted) return { suppressions: [{ kind: 'inSource' }] };
  const justification = ifDefined(note === '' ? undefined : note, (text) => ({ justification: text }));
  return isIgnored ? { suppressions: [{ kind: 'external', status: 'accepted', ...justification }] } : {};
}

/** One SARIF 2.1.0 result. */
export const sarifResultOf = (row: SarifRow): object => ({
  ruleId: row.rule,
  level: SARIF_LEVELS[row.severity],
  message: { text: row.message === '' ? row.rule : row.message },
  locations: [locationOf(row)],
  ...ifDefined(row.match_based_id, (id) => ({ fingerprints: { 'matchBasedId/v1': id } })),
  ...(row.cwes.length > 0 && { taxa: row.cwes.map((id) => ({ id, toolComponent: { name: 'CWE' } })) }),
  ...suppressionsOf(row),
  properties: {
    ...ifDefined(SECURITY_SEVERITY_SCORES[row.severity], (score) => ({ 'security-severity': score })),
    parapet: parapetProperties(row),
  },
});

/** The rule of a result, as listed by the tool driver. */
export const sarifRuleOf = (row: SarifRow): object => ({
  id: row.rule,
  shortDescription: { text: row.title },
  ...ifDefined(row.help_url, (helpUri) => ({ helpUri })),
  properties: { category: row.category, tags: row.owasps },
});
