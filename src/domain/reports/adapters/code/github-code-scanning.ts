import { type LooseObject, texts } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { codeResult, firstWord, inside, toolItem, word } from '../result-items.ts';
import { severityOf } from '../taxonomy.ts';

export const githubCodeScanning: ReportFormatDefinition = {
  tool: 'GitHub code scanning',
  writtenBy: 'GitHub, `GET /repos/{owner}/{repo}/code-scanning/alerts`',
  version: '2022-11-28',
  fixture: 'written',
  reads: 'open alerts at their most recent place, dismissed ones as ignored; fixed ones are not findings',
  results: ['code', 'decision'],
  signs: [['[].most_recent_instance', '[].rule', '[].tool']],
  reader: {
    jsonLines: () => {
      let tool = '';
      return {
        members: ['most_recent_instance'],
        canBeEmpty: true,
        *take(alert): Iterable<ReportItem> {
          const name = word(inside(alert, 'tool', 'name'));
          if (name !== undefined && tool === '') {
            tool = name;
            yield toolItem(name, inside(alert, 'tool', 'version'));
          }
          if (alert['state'] === 'fixed') return;
          const item = alertOf(alert);
          yield item;
          if (item.kind === 'finding' && alert['state'] === 'dismissed') yield dismissalOf(alert);
        },
      };
    },
  },
};

function alertOf(alert: LooseObject): ReportItem {
  const instance = inside(alert, 'most_recent_instance');
  const place = inside(instance, 'location');
  const rule = inside(alert, 'rule');
  return codeResult({
    rule: inside(rule, 'id'),
    file: inside(place, 'path'),
    line: inside(place, 'start_line'),
    endLine: inside(place, 'end_line'),
    column: inside(place, 'start_column'),
    endColumn: inside(place, 'end_column'),
    title: inside(rule, 'description'),
    message: inside(instance, 'message', 'text'),
    severity: severityOf(firstWord(inside(rule, 'security_severity_level'), inside(rule, 'severity'))),
    cwes: texts(inside(rule, 'tags')),
    references: alert['html_url'],
  });
}

function dismissalOf(alert: LooseObject): ReportItem {
  const isFalse = alert['dismissed_reason'] === 'false positive';
  const note = word(alert['dismissed_comment']);
  const reason = isFalse ? ('false_positive' as const) : ('acceptable_risk' as const);
  return { kind: 'decision', source: 'sarif', state: 'ignored', reason, ...(note && { note }) };
}
