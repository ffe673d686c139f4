import './severity.css';

export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

const GLYPHS: Record<Severity, string> = { critical: '▲▲', high: '▲', medium: '◆', low: '▼', info: '·' };

export const severityLabel = (severity: Severity): string => severity.charAt(0).toUpperCase() + severity.slice(1);

/** Normalizes the API's spellings (`SEVERITY_HIGH`, `high`); unknown values become `info`. */
export function severityOf(text: string | undefined): Severity {
  const word = (text ?? '').toLowerCase().replace(/^.*severity_/, '');
  return SEVERITIES.find((severity) => severity === word) ?? 'info';
}

/** The severity as symbol, label and color. */
export function SeverityChip({ severity }: { severity: Severity }) {
  return (
    <span className="severity" data-severity={severity}>
      <span aria-hidden="true">{GLYPHS[severity]}</span> {severityLabel(severity)}
    </span>
  );
}

/** The API sends counts as strings, because they may have 64 bits. */
export type SeverityCounts = Partial<Record<Severity, string | number>>;

/** A stacked bar of findings by severity, with an accessible summary. */
export function SeverityBar({ counts }: { counts: SeverityCounts }) {
  const present = SEVERITIES.filter((severity) => Number(counts[severity] ?? 0) > 0);
  const sentence = present.map((severity) => `${counts[severity]} ${severity}`).join(', ');
  return (
    <span className="severity-bar" role="img" aria-label={sentence === '' ? 'none' : sentence} title={sentence}>
      {present.map((severity) => (
        <span key={severity} data-severity={severity} style={{ flexGrow: Number(counts[severity]) }} />
      ))}
    </span>
  );
}
