import { type LooseObject, object, objects, text } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { resourceResult, word } from '../result-items.ts';

export const kubeBench: ReportFormatDefinition = {
  tool: 'kube-bench',
  writtenBy: '`kube-bench --json`',
  version: '0.10',
  fixture: 'written',
  reads: 'checks of the CIS benchmark that failed or warned, by type of node',
  results: ['resource'],
  severities: { fail: 'high', warn: 'medium' },
  signs: [
    ['Controls[].tests', 'Totals'],
    ['Controls[]', 'Totals.total_fail'],
    ['[].node_type', '[].tests[]'],
  ],
  reader: {
    json: () => ({
      required: ['Controls$', '$'],
      paths: ['Controls[]', '[]'],
      *take({ value }): Iterable<ReportItem> {
        const control = object(value);
        for (const group of objects(control['tests']))
          for (const check of objects(group['results'])) yield* checkOf(check, control);
      },
    }),
  },
};

function* checkOf(check: LooseObject, control: LooseObject): Iterable<ReportItem> {
  const status = word(check['status']);
  if (status !== 'FAIL' && status !== 'WARN') return;
  yield resourceResult({
    rule: check['test_number'],
    resource: `node/${word(control['node_type']) ?? word(control['id']) ?? 'unknown'}`,
    title: check['test_desc'],
    message: [check['test_desc'], check['remediation']].flatMap((part) => text(part) ?? []).join('\n\n'),
    severity: status === 'FAIL' ? 'high' : 'medium',
    category: 'infrastructure',
  });
}
