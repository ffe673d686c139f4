import type { JsonAdapter } from '../adapter.ts';
import type { JsonPart } from '../json-scanner.ts';
import { withoutSecret } from '../masking.ts';
import { tidyPath } from '../paths.ts';
import { addAll, type Loose, object, position, present, someMembers, text, texts } from '../reading.ts';
import type { Reported, ReportedDependency, ReportedFinding } from '../reported.ts';
import { usable, withoutOrdinal } from '../tool-ids.ts';
import {
  productOf,
  semgrepRuleFacts,
  semgrepSca,
  semgrepSeverity,
  transitivityOf,
  validationOf,
} from './semgrep-facts.ts';

const COVERAGE: Record<string, 'rulesRun' | 'pathsSearched' | 'pathsFailed' | 'renamedFrom'> = {
  'rule_ids[]': 'rulesRun',
  'searched_paths[]': 'pathsSearched',
  'skipped_paths[]': 'pathsFailed',
  'renamed_paths[]': 'renamedFrom',
};

/** What `semgrep ci` uploads. Its `token` is a credential of somebody else and is never looked at. */
export function semgrepCi(): JsonAdapter {
  const coverage: { [K in (typeof COVERAGE)[string]]?: string[] } = {};
  return {
    required: ['findings$'],
    paths: ['findings[]', 'ignores[]', 'dependencies.*[]', ...Object.keys(COVERAGE)],
    *take({ path, value, key }: JsonPart): Iterable<Reported> {
      const member = COVERAGE[path];
      if (member !== undefined) {
        const names = texts(value);
        coverage[member] ??= [];
        addAll(coverage[member], member === 'rulesRun' ? names : names.map(tidyPath));
      } else if (path === 'dependencies.*[]') yield* dependencyOf(object(value), key ?? '');
      else yield* findingOf(object(value), path === 'ignores[]');
    },
    *finish(): Iterable<Reported> {
      const known = Object.entries(coverage).filter(([, names]) => names.length > 0);
      if (known.length > 0) yield { kind: 'coverage', ...Object.fromEntries(known) };
    },
  };
}

function* findingOf(value: Loose, isIgnored: boolean): Iterable<Reported> {
  const rule = text(value['check_id']);
  const path = text(value['path']);
  if (rule === undefined || path === undefined) {
    yield { kind: 'warning', message: 'A finding has no check_id or no path; it was left out.' };
    return;
  }
  const metadata = object(value['metadata']);
  const sca = semgrepSca(object(value['sca_info']), metadata);
  const id = usable(text(value['match_based_id']));
  const validation = validationOf(value['validation_state']);
  const product = productOf(sca, metadata);
  const line = position(value['line']);
  const syntacticId = text(value['syntactic_id']);
  const codeDigest = text(object(value['hashes'])['code_hash']);
  const finding: ReportedFinding = present({
    product,
    rule,
    path: tidyPath(path),
    region: {
      line,
      column: position(value['column']),
      endLine: position(value['end_line']) || line,
      endColumn: position(value['end_column']),
    },
    message: text(value['message']) ?? rule,
    severity: semgrepSeverity(value['severity']),
    ...semgrepRuleFacts(metadata),
    codeDigest: codeDigest !== undefined && /^[\da-f]{64}$/.test(codeDigest) ? codeDigest : undefined,
    fingerprints: id === undefined ? {} : { 'matchBasedId/v1': withoutOrdinal(id) },
    matchBasedId: id,
    syntacticId: syntacticId !== undefined && /^[\da-f]{32}$/.test(syntacticId) ? syntacticId : undefined,
    fix: texts(value['fixed_lines']).join('\n') || undefined,
    trace: someMembers(value['dataflow_trace']),
    metadata: someMembers(metadata),
    isIgnoredInCode: isIgnored ? true : undefined,
    isBlocking: typeof value['is_blocking'] === 'boolean' ? value['is_blocking'] : undefined,
    sca,
    secret: product === 'secrets' ? present({ type: text(metadata['secret_type']) ?? rule, validation }) : undefined,
  });
  yield { kind: 'finding', ...withoutSecret(finding) };
}

function* dependencyOf(value: Loose, lockfile: string): Iterable<Reported> {
  const name = text(value['package']);
  if (name === undefined) return;
  const dependency: ReportedDependency = present({
    package: name,
    version: text(value['version']) ?? '',
    ecosystem: text(value['ecosystem']) ?? '',
    transitivity: transitivityOf(value['transitivity']),
    path: tidyPath(text(value['lockfile_path']) ?? lockfile),
    line: position(value['line_number']) || undefined,
    resolvedUrl: text(value['resolved_url']),
    manifestPath: text(value['manifest_path']),
  });
  yield { kind: 'dependency', ...dependency };
}
