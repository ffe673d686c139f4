import { ActionIcon, Tooltip } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { notifyProblem } from '#web/foundation/notify/notify.ts';
import { copyToClipboard } from './clipboard.ts';
import './copy-text.css';

interface CopyTextProps {
  text: string;
  /** What is copied, for the tooltip and screen readers. */
  label: string;
  /** Hides the text and shows only the button. */
  isHidden?: boolean;
}

/** A text with a copy button. */
export function CopyText({ text, label, isHidden = false }: CopyTextProps) {
  const [isCopied, setIsCopied] = useState(false);
  const show = () => {
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), 1500);
  };
  const copy = () => void copyToClipboard(text).then(show, notifyProblem);
  return (
    <span className="copy-text">
      {!isHidden && <code>{text}</code>}
      <Tooltip label={isCopied ? 'Copied' : `Copy ${label}`}>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`Copy ${label}`} onClick={copy}>
          {isCopied ? <Check size={14} /> : <Copy size={14} />}
        </ActionIcon>
      </Tooltip>
    </span>
  );
}
