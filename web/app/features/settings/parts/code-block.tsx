import { CopyText } from '#web/ui/clipboard/copy-text.tsx';

/** A text for elsewhere, as it is, with a button that copies it. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <div className="settings-code">
      <pre tabIndex={0}>{text}</pre>
      <CopyText text={text} label={label} isHidden />
    </div>
  );
}
