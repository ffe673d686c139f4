import { Circle, CircleAlert, CircleCheck, CircleX } from 'lucide-react';

const ICONS = { good: CircleCheck, warn: CircleAlert, bad: CircleX, none: Circle } as const;

export interface Status {
  kind: 'good' | 'warn' | 'bad' | 'none';
  text: string;
}

/** A state with its color and icon. */
export function StatusText({ kind, text }: Status) {
  const Icon = ICONS[kind];
  return (
    <span className="settings-status" data-kind={kind}>
      <Icon size={16} aria-hidden="true" /> {text}
    </span>
  );
}
