import { addAll, type LooseObject, list, number, object, objects, text } from '../../json/loose-values.ts';
import type { ReportItem, Severity } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { inside, resourceResult, word } from '../result-items.ts';

/** The factor of a control, from 1 to 10. */
const severityOfFactor = (factor: number): Severity =>
  factor >= 9 ? 'critical' : factor >= 7 ? 'high' : factor >= 4 ? 'medium' : 'low';

export const kubescape: ReportFormatDefinition = {
  tool: 'Kubescape',
  writtenBy: '`kubescape scan --format json`',
  version: '3.0',
  fixture: 'written',
  reads: 'controls that failed, by resource',
  results: ['resource'],
  severities: { 'scoreFactor 9 to 10': 'critical', '7 to 8': 'high', '4 to 6': 'medium', '1 to 3': 'low' },
  signs: [
    ['summaryDetails', 'results[].resourceID'],
    ['summaryDetails.controls', 'resources'],
  ],
  reader: {
    json: () => {
      // What a control is about may follow the results.
      const controls = new Map<string, LooseObject>();
      const failed: FailedControl[] = [];
      return {
        required: ['summaryDetails.controls{}', 'results$'],
        paths: ['summaryDetails.controls.*', 'results[]'],
        take({ path, value, key = '' }) {
          if (path === 'results[]') addAll(failed, failuresOf(object(value)));
          else controls.set(key, object(value));
          return [];
        },
        *finish(): Iterable<ReportItem> {
          for (const { control, resource, paths } of failed) {
            const id = text(control['controlID']) ?? '';
            const known = controls.get(id) ?? control;
            const factor = number(known['scoreFactor']);
            yield resourceResult({
              rule: id,
              resource,
              title: known['name'] ?? control['name'],
              severity: factor === undefined ? undefined : severityOfFactor(factor),
              message: [known['name'], ...paths].join('\n'),
              category: 'infrastructure',
              references: `https://hub.armosec.io/docs/${id.toLowerCase()}`,
            });
          }
        },
      };
    },
  },
};

/** `path=…/api=apps/v1//acme/Deployment/web` is the object `acme/Deployment/web`. */
const resourceOf = (id: string) => id.split('//').at(-1)?.replace(/^\/+/, '') || id;

interface FailedControl {
  control: LooseObject;
  resource: string;
  /** Members of the object to look at or to change. */
  paths: string[];
}

const MAX_PATHS = 20;

function pathsOf(control: LooseObject): string[] {
  const paths = objects(control['rules']).flatMap((rule) => objects(rule['paths']));
  const named = paths.map(
    (path) => word(inside(path, 'fixPath', 'path')) ?? word(path['reviewPath'] ?? path['failedPath']),
  );
  return [...new Set(named.filter((path) => path !== undefined))].slice(0, MAX_PATHS);
}

function failuresOf(result: LooseObject): FailedControl[] {
  const resource = resourceOf(word(result['resourceID']) ?? '');
  return objects(list(result['controls']))
    .filter((control) => inside(control, 'status', 'status') === 'failed')
    .map((control) => ({
      control: { controlID: control['controlID'], name: control['name'] },
      resource,
      paths: pathsOf(control),
    }));
}
