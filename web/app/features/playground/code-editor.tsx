import { type UIEvent, useId, useRef } from 'react';
import type { LineMark } from './engine-report.ts';

const SIGNS: Record<LineMark, string> = { passed: '✓', failed: '✗', todo: '…', match: '●' };
const NO_MARKS: ReadonlyMap<number, LineMark> = new Map();

interface CodeEditorProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  maxLength: number;
  /** Signs beside lines, counted from 1. The result lists the same for people who do not see them. */
  marks?: ReadonlyMap<number, LineMark>;
}

/** A text field for code with line numbers. Tab leaves it, as it leaves any other field. */
export function CodeEditor({ label, value, onChange, maxLength, marks = NO_MARKS }: CodeEditorProps) {
  const id = useId();
  const gutter = useRef<HTMLPreElement>(null);
  const follow = ({ currentTarget }: UIEvent<HTMLTextAreaElement>) => {
    if (gutter.current) gutter.current.scrollTop = currentTarget.scrollTop;
  };
  const numbers = Array.from({ length: value.split('\n').length }, (_, index) => index + 1);
  return (
    <div className="playground-field">
      <label htmlFor={id}>{label}</label>
      <div className="playground-editor">
        <pre ref={gutter} className="playground-gutter" aria-hidden="true">
          {numbers.map((number) => {
            const mark = marks.get(number);
            return (
              <span key={number} data-mark={mark}>
                {`${mark ? SIGNS[mark] : ' '} ${number}\n`}
              </span>
            );
          })}
        </pre>
        <textarea
          id={id}
          value={value}
          maxLength={maxLength}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          onScroll={follow}
          wrap="off"
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
        />
      </div>
    </div>
  );
}
