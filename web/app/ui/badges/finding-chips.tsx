import {
  Bot,
  Circle,
  CircleCheck,
  CircleDashed,
  CircleMinus,
  CircleSlash,
  Code,
  Contrast,
  KeyRound,
  type LucideIcon,
  Package,
  RotateCcw,
  Workflow,
  Wrench,
} from 'lucide-react';
import { STATE_LABELS, TYPE_LABELS } from '#web/foundation/format/labels.ts';
import './finding-chips.css';
import type { FindingState } from './finding-state.ts';

const STATE_ICONS: Record<FindingState, LucideIcon> = {
  open: Circle,
  reopened: RotateCcw,
  reviewing: Contrast,
  fixing: Wrench,
  provisional: CircleDashed,
  ignored: CircleSlash,
  fixed: CircleCheck,
  removed: CircleMinus,
};

const TYPE_ICONS: Record<string, LucideIcon> = {
  ISSUE_TYPE_AI_SAST: Bot,
  ISSUE_TYPE_SCA: Package,
  ISSUE_TYPE_SECRETS: KeyRound,
  ISSUE_TYPE_WORKFLOW: Workflow,
};

/** The icon of a state, for use beside its label. */
export function StateIcon({ state, size = 14 }: { state: FindingState; size?: number }) {
  const Icon = STATE_ICONS[state];
  return <Icon size={size} className="finding-glyph" data-state={state} aria-hidden="true" />;
}

/** The state of a finding as icon and label. */
export function StateChip({ state }: { state: FindingState }) {
  return (
    <span className="finding-chip" data-state={state}>
      <StateIcon state={state} /> {STATE_LABELS[state]}
    </span>
  );
}

/** The type of a finding as an icon; its name is there for screen readers and on hover. */
export function TypeIcon({ type }: { type: string }) {
  const Icon = TYPE_ICONS[type] ?? Code;
  const label = TYPE_LABELS[type] ?? 'Code';
  return (
    <span className="finding-type-icon" title={label}>
      <Icon size={14} aria-hidden="true" />
      <span className="visually-hidden">{label}</span>
    </span>
  );
}

/** The type of a finding: code, dependency, secret. Takes the API value (`ISSUE_TYPE_SAST`). */
export function TypeChip({ type }: { type: string }) {
  const Icon = TYPE_ICONS[type] ?? Code;
  return (
    <span className="finding-chip">
      <Icon size={14} aria-hidden="true" /> {TYPE_LABELS[type] ?? 'Code'}
    </span>
  );
}
