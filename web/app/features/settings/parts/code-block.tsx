import { CopyText } from '#web/ui/clipboard/copy-text.tsx';

/** A preformatted text with a copy button. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <div className="settings-code">
      <pre tabIndex={0}>{text}</pre>
      <CopyText text={text} label={label} isHidden />
    </div>
  );
}
