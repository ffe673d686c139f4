import { object, text } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { gitlabFacts, gitlabScan } from '../gitlab-report.ts';
import { endpointResult, inside } from '../result-items.ts';

export const gitlabDast: ReportFormatDefinition = {
  tool: 'unknown',
  writtenBy: 'GitLab DAST and API security',
  version: '15.2',
  fixture: 'written',
  reads: 'vulnerabilities with host, path, method, parameter and evidence, scanner, status',
  results: ['endpoint'],
  closes: 'what is missing from the report, if its `status` is `success`',
  signs: [['vulnerabilities[]', ['scan.type', /^(dast|api_fuzzing)$/]]],
  reader: {
    json: () =>
      gitlabScan(function* (value): Iterable<ReportItem> {
        const location = object(value['location']);
        const { identifiers, ...facts } = gitlabFacts(value);
        yield endpointResult({
          ...facts,
          rule: identifiers.find(({ type }) => type !== 'cwe')?.value ?? identifiers[0]?.value,
          url: `${text(location['hostname']) ?? ''}${text(location['path']) ?? ''}`,
          method: location['method'],
          parameter: location['param'],
          evidence: inside(value, 'evidence', 'summary'),
        });
      }),
  },
};
