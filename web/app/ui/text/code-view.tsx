import { createElement, type ReactNode } from 'react';
import './code-view.css';
import type { CodeLine } from './code-lines.ts';
import type { DiffLine } from './diff-line.ts';

interface FrameProps {
  /** Accessible name of the code block. */
  label: string;
  /** Passed as separate children, because lines have no stable keys. */
  rows: ReactNode[];
}

function Frame({ label, rows }: FrameProps) {
  return (
    // Wide code scrolls, so it must be focusable by keyboard.
    <section className="code-view" aria-label={label} tabIndex={0}>
      <pre>{createElement('code', null, ...rows)}</pre>
    </section>
  );
}

/** A space keeps the height of an empty line. */
const shown = (text: string) => `${text === '' ? ' ' : text}\n`;

/** Shows code with line numbers and highlights the marked lines. */
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

/** Shows a diff with signs and colors. */
export function DiffView({ label, lines }: { label: string; lines: readonly DiffLine[] }) {
  const rows = lines.map(({ kind, text }) =>
    createElement(ELEMENTS[kind], { className: 'code-line', 'data-kind': kind, 'data-line': SIGNS[kind] }, shown(text)),
  );
  return <Frame label={label} rows={rows} />;
}
