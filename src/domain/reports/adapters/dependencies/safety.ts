import { type LooseObject, object, objects, text } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { componentResult, inside } from '../result-items.ts';
import { severityOf } from '../taxonomy.ts';

/** Of `safety scan`, and of `safety system-scan`, which has no files in projects. */
const FILES = ['scan_results.projects[].files[]', 'scan_results.files[]'];

export const safety: ReportFormatDefinition = {
  tool: 'Safety',
  writtenBy: '`safety check --output json`, `safety scan --output json`',
  version: '3.2',
  fixture: 'written',
  reads: 'vulnerabilities that are not ignored, with fixes',
  results: ['component'],
  signs: [
    ['report_meta', 'vulnerabilities[]'],
    ['report_meta', 'scanned_packages'],
    ['scan_results.projects[]'],
    ['scan_results.files[].results'],
  ],
  reader: {
    json: () => ({
      required: ['vulnerabilities$', 'scan_results.projects$'],
      paths: ['vulnerabilities[]', ...FILES],
      *take({ path, value }): Iterable<ReportItem> {
        if (FILES.includes(path)) yield* fileOf(object(value));
        else if (object(value)['ignored'] !== true) yield flawOf(object(value));
      },
    }),
  },
};

function flawOf(flaw: LooseObject): ReportItem {
  const severity = object(flaw['severity']);
  return componentResult({
    advisories: [flaw['CVE'], `safety:${text(flaw['vulnerability_id']) ?? ''}`],
    package: flaw['package_name'],
    version: flaw['analyzed_version'],
    ecosystem: 'pypi',
    file: 'requirements.txt',
    message: flaw['advisory'],
    severity: severityOf(inside(severity, 'cvssv3', 'base_severity')),
    references: flaw['more_info_url'],
    transitivity: flaw['is_transitive'] === true ? 'transitive' : 'unknown',
    fixVersions: flaw['fixed_versions'],
  });
}

/** `safety scan`: a file, its dependencies, their specifications, and what is known about each. */
function* fileOf(file: LooseObject): Iterable<ReportItem> {
  for (const dependency of objects(inside(file, 'results', 'dependencies'))) {
    for (const specification of objects(dependency['specifications'])) {
      for (const flaw of objects(inside(specification, 'vulnerabilities', 'known_vulnerabilities'))) {
        if (inside(flaw, 'ignored', 'code') !== undefined) continue;
        yield componentResult({
          advisories: [`safety:${text(flaw['id']) ?? ''}`],
          package: dependency['name'],
          version: text(dependency['found']) ?? /==\s*([\w.+!-]+)/.exec(text(specification['raw']) ?? '')?.[1],
          ecosystem: 'pypi',
          file: file['location'],
          message: `Vulnerable: ${text(flaw['vulnerable_spec']) ?? 'this version'}`,
          fixVersions: inside(specification, 'vulnerabilities', 'remediation', 'recommended'),
        });
      }
    }
  }
}
