import { createElement, type ReactNode } from 'react';
import './code-view.css';
import type { CodeLine } from './code-lines.ts';
import type { DiffLine } from './diff-line.ts';

interface FrameProps {
  /** What the code is, for those who cannot see it. */
  label: string;
  /** Handed over one by one: lines have no names of their own. */
  rows: ReactNode[];
}

function Frame({ label, rows }: FrameProps) {
  return (
    // Wide code scrolls, so it must be reached by keyboard.
    <section className="code-view" aria-label={label} tabIndex={0}>
      <pre>{createElement('code', null, ...rows)}</pre>
    </section>
  );
}

/** An empty line keeps its height. */
const shown = (text: string) => `${text === '' ? ' ' : text}\n`;

/** Lines of code with their numbers, those that matter marked; wide ones scroll, by keyboard too. */
export function CodeView({ label, lines }: { label: string; lines: readonly CodeLine[] }) {
  const width = String(lines.at(-1)?.number ?? '').length;
  const rows = lines.map(({ number, text, isMarked }) =>
    createElement(
      isMarked ? 'mark' : 'span',
      { className: 'code-line', 'data-line': String(number ?? '').padStart(width) },
      shown(text),
    ),
  );
  return <Frame label={label} rows={rows} />;
}

const SIGNS = { same: ' ', removed: '−', added: '+' } as const;
const ELEMENTS = { same: 'span', removed: 'del', added: 'ins' } as const;

/** What a change takes out and puts in, by sign and by colour. */
export function DiffView({ label, lines }: { label: string; lines: readonly DiffLine[] }) {
  const rows = lines.map(({ kind, text }) =>
    createElement(ELEMENTS[kind], { className: 'code-line', 'data-kind': kind, 'data-line': SIGNS[kind] }, shown(text)),
  );
  return <Frame label={label} rows={rows} />;
}
