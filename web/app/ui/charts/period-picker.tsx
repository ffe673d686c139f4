import '@mantine/core/styles/SegmentedControl.layer.css';
import { SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type BucketSize, parseTime } from '#web/ui/charts/data/time-buckets.ts';

const RANGES = [
  { value: '-30d', label: '30 days' },
  { value: '-90d', label: '90 days' },
  { value: '-180d', label: '180 days' },
  { value: '-365d', label: '1 year' },
];

export interface PeriodTexts {
  since?: string | undefined;
  until?: string | undefined;
}

interface RangeBarProps extends PeriodTexts {
  /** What `since` is while the address has none. */
  fallback: string;
  onChange: (range: PeriodTexts) => void;
}

/** The period of a report: one of the usual ones, or two days as one types them. */
export function PeriodPicker({ since, until, fallback, onChange }: RangeBarProps) {
  const isUsual = until === undefined && RANGES.some(({ value }) => value === (since ?? fallback));
  return (
    <>
      <SegmentedControl
        aria-label="Period"
        size="xs"
        data={RANGES}
        value={isUsual ? (since ?? fallback) : ''}
        onChange={(value) => onChange({ since: value })}
      />
      <MomentInput label="Since" value={since ?? fallback} onCommit={(text) => onChange({ since: text, until })} />
      <MomentInput label="Until" value={until ?? ''} onCommit={(text) => onChange({ since, until: text })} />
    </>
  );
}

interface MomentInputProps {
  label: string;
  value: string;
  onCommit: (text: string | undefined) => void;
}

function MomentInput({ label, value, onCommit }: MomentInputProps) {
  const [draft, setDraft] = useState<string>();
  const text = draft ?? value;
  const isWrong = text.trim() !== '' && parseTime(text.trim(), new Date(0)) === undefined;
  const commit = () => {
    if (draft === undefined || isWrong) return;
    setDraft(undefined);
    if (draft.trim() !== value) onCommit(draft.trim() === '' ? undefined : draft.trim());
  };
  return (
    <TextInput
      className="report-moment"
      size="xs"
      label={label}
      placeholder="now"
      value={text}
      error={isWrong ? 'Such as -90d or 2026-08-01' : undefined}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
    />
  );
}

interface BucketBarProps {
  chosen: BucketSize | undefined;
  /** What the period alone would give. */
  natural: BucketSize;
  onChange: (size: BucketSize | undefined) => void;
}

const BUCKETS = [
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
];

/** The size of the buckets: the one that goes with the period, unless another is chosen. */
export function BucketSizePicker({ chosen, natural, onChange }: BucketBarProps) {
  return (
    <SegmentedControl
      aria-label="Size of buckets"
      size="xs"
      data={BUCKETS}
      value={chosen ?? natural}
      onChange={(value) => onChange(value === natural ? undefined : (value as BucketSize))}
    />
  );
}
