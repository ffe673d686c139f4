import { object, text } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import { ecosystemOf } from '../ecosystems.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { gitlabFacts, gitlabScan } from '../gitlab-report.ts';
import { componentResult, inside } from '../result-items.ts';

export const gitlabContainer: ReportFormatDefinition = {
  tool: 'unknown',
  writtenBy: 'GitLab container scanning and cluster image scanning',
  version: '15.2',
  fixture: 'written',
  reads: 'vulnerabilities of the packages of an image, scanner, status',
  results: ['component'],
  closes: 'what is missing from the report, if its `status` is `success`',
  signs: [['vulnerabilities[]', ['scan.type', /^(container|cluster_image)_scanning$/]]],
  reader: {
    json: () =>
      gitlabScan(function* (value): Iterable<ReportItem> {
        const location = object(value['location']);
        const { identifiers, ...facts } = gitlabFacts(value);
        yield componentResult({
          ...facts,
          advisories: identifiers.filter(({ type }) => type !== 'cwe').map(({ value: id }) => id),
          package: inside(location, 'dependency', 'package', 'name'),
          version: inside(location, 'dependency', 'version'),
          ecosystem: ecosystemOf(location['operating_system']),
          // Without the tag, which changes with every build.
          file: text(location['image'])
            ?.replace(/@sha256:.*$/, '')
            .replace(/:[^/:]*$/, ''),
        });
      }),
  },
};
