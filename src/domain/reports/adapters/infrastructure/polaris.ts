import { type LooseObject, object, text } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { inside, resourceResult, toolItem, word } from '../result-items.ts';
import { severityIn } from '../taxonomy.ts';

const SEVERITIES = { danger: 'high', warning: 'medium', error: 'high' } as const;

export const polaris: ReportFormatDefinition = {
  tool: 'Polaris',
  writtenBy: '`polaris audit --format json`',
  version: '9.6',
  fixture: 'written',
  reads: 'checks that failed, of controllers, pods and containers',
  results: ['resource'],
  severities: SEVERITIES,
  signs: [['PolarisOutputVersion'], ['AuditTime', 'Results[].Kind']],
  reader: {
    json: () => ({
      required: ['Results$'],
      paths: ['PolarisOutputVersion', 'Results[]'],
      *take({ path, value }): Iterable<ReportItem> {
        if (path === 'PolarisOutputVersion') yield toolItem('Polaris', undefined);
        else yield* objectOf(object(value));
      },
    }),
  },
};

function* objectOf(found: LooseObject): Iterable<ReportItem> {
  const parts = [found['Namespace'], found['Kind'], found['Name']];
  const resource = parts.flatMap((part) => text(part) ?? []).join('/');
  yield* checksOf(object(found['Results']), resource);
  const pod = object(found['PodResult']);
  yield* checksOf(object(pod['Results']), resource);
  for (const container of [inside(pod, 'ContainerResults')].flat().map(object))
    yield* checksOf(object(container['Results']), resource, text(container['Name']));
}

function* checksOf(results: LooseObject, resource: string, container?: string): Iterable<ReportItem> {
  for (const check of Object.values(results).map(object)) {
    if (check['Success'] !== false) continue;
    yield resourceResult({
      rule: check['ID'],
      resource,
      message: check['Message'],
      severity: severityIn(SEVERITIES, check['Severity']),
      category: word(check['Category'])?.toLowerCase(),
      scope: container,
    });
  }
}
