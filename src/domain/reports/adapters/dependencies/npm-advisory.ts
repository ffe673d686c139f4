import { type LooseObject, objects, text, texts } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import { componentResult } from '../result-items.ts';
import { severityOf } from '../taxonomy.ts';

/** The GHSA id at the end of the address of an advisory. */
export const ghsaIn = (url: unknown): string | undefined => /GHSA(-[a-z\d]{4}){3}$/i.exec(text(url) ?? '')?.[0];

/** An advisory as the audit interface of the npm registry returned it before version 2. */
export function npmAdvisory(advisory: LooseObject, file: string): ReportItem {
  const found = objects(advisory['findings']);
  // pnpm starts each chain with the workspace, which is `.` for the root.
  const chains = found.flatMap((entry) => texts(entry['paths'])).map((chain) => chain.replace(/^\.>/, ''));
  const id = advisory['id'];
  return componentResult({
    advisories: [
      ...texts(advisory['cves']),
      advisory['github_advisory_id'] ?? ghsaIn(advisory['url']),
      ...(typeof id === 'number' ? [`npm:${id}`] : []),
    ],
    package: advisory['module_name'],
    version: found[0]?.['version'],
    ecosystem: 'npm',
    file,
    title: advisory['title'],
    message: advisory['overview'],
    severity: severityOf(advisory['severity']),
    cwes: advisory['cwe'],
    references: advisory['url'],
    transitivity:
      chains.length === 0 ? 'unknown' : chains.some((chain) => !chain.includes('>')) ? 'direct' : 'transitive',
    fixVersions: /^>=\s*([\w.+-]+)$/.exec(text(advisory['patched_versions']) ?? '')?.[1],
  });
}
