import { Button, Menu } from '@mantine/core';
import { UserRound } from 'lucide-react';
import { formatNumber } from '#web/foundation/format/format-number.ts';
import { Keycaps } from '#web/foundation/keys/keycaps.tsx';
import { StateIcon } from '#web/ui/badges/finding-chips.tsx';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import type { SelectionModel } from '../grid/selection-model.ts';
import { useSelection } from '../grid/use-selection.ts';
import { type Decision, reasonLabel, TRIAGE_REASONS } from '../model/decision.ts';
import { openAssignDialog } from '../triage/assign-store.ts';

interface SelectionBarProps {
  list: SelectionModel;
  /** How many findings match; undefined while unknown. */
  total: number | undefined;
  canSelectAll: boolean;
  onDecide: (decision: Decision) => void;
  onIgnore: () => void;
  onAll: () => void;
}

/** The actions for the selected findings. */
export function SelectionBar({ list, total, canSelectAll, onDecide, onIgnore, onAll }: SelectionBarProps) {
  const { ids, isAll } = useSelection(list);
  if (ids.length === 0) return null;
  const summary = isAll
    ? `All ${total === undefined ? '' : formatNumber(total)} that match are selected`
    : `${formatNumber(ids.length)} selected`;
  const hasMore = canSelectAll && !isAll && total !== undefined && total > ids.length;
  return (
    <section className="findings-selection no-print" aria-label="Selection">
      <strong role="status">{summary}</strong>
      {hasMore && (
        <Button variant="subtle" size="compact-sm" onClick={onAll}>
          Select all {formatNumber(total)} that match
        </Button>
      )}
      <PermissionGate permission="issue:triage">
        {(isDisabled) => (
          <span className="findings-selection-actions">
            <Step state="open" label="Open" {...{ isDisabled, onDecide }} />
            <Step state="reviewing" label="Reviewing" {...{ isDisabled, onDecide }} />
            <Step state="fixing" label="To fix" {...{ isDisabled, onDecide }} />
            <Menu position="top-end">
              <Menu.Target>
                <Button
                  variant="default"
                  size="compact-sm"
                  disabled={isDisabled}
                  leftSection={<StateIcon state="ignored" />}
                >
                  Ignore…
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {TRIAGE_REASONS.slice(0, 3).map((reason) => (
                  <Menu.Item key={reason} onClick={() => onDecide({ state: 'ignored', reason })}>
                    {reasonLabel(reason)}
                  </Menu.Item>
                ))}
                <Menu.Item onClick={onIgnore}>With a comment…</Menu.Item>
              </Menu.Dropdown>
            </Menu>
            <Button
              variant="default"
              size="compact-sm"
              disabled={isDisabled}
              leftSection={<UserRound size={14} aria-hidden="true" />}
              onClick={() => openAssignDialog((assignee) => onDecide({ assignee }))}
            >
              Assign…
            </Button>
          </span>
        )}
      </PermissionGate>
      <Button variant="subtle" size="compact-sm" onClick={() => list.clear()}>
        Clear&nbsp;
        <Keycaps name="back" />
      </Button>
    </section>
  );
}

interface StepProps {
  state: 'open' | 'reviewing' | 'fixing';
  label: string;
  isDisabled: boolean;
  onDecide: (decision: Decision) => void;
}

function Step({ state, label, isDisabled, onDecide }: StepProps) {
  return (
    <Button
      variant="default"
      size="compact-sm"
      disabled={isDisabled}
      leftSection={<StateIcon state={state} />}
      onClick={() => onDecide({ state })}
    >
      {label}
    </Button>
  );
}
