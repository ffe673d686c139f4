import '@mantine/core/styles/SegmentedControl.layer.css';
import { SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import './report.css';
import { type BucketSize, parseTime } from '#web/ui/charts/data/time-buckets.ts';

const PRESETS = [
  { value: '-30d', label: '30 days' },
  { value: '-90d', label: '90 days' },
  { value: '-180d', label: '180 days' },
  { value: '-365d', label: '1 year' },
];

export interface PeriodTexts {
  since?: string | undefined;
  until?: string | undefined;
}

interface PeriodPickerProps extends PeriodTexts {
  /** The default of `since`. */
  defaultSince: string;
  onChange: (period: PeriodTexts) => void;
}

/** Chooses the period of a report: a preset, or two typed times. */
export function PeriodPicker({ since, until, defaultSince, onChange }: PeriodPickerProps) {
  const isPreset = until === undefined && PRESETS.some(({ value }) => value === (since ?? defaultSince));
  return (
    <>
      <SegmentedControl
        aria-label="Period"
        size="xs"
        data={PRESETS}
        value={isPreset ? (since ?? defaultSince) : ''}
        onChange={(value) => onChange({ since: value })}
      />
      <TimeInput label="Since" value={since ?? defaultSince} onCommit={(text) => onChange({ since: text, until })} />
      <TimeInput label="Until" value={until ?? ''} onCommit={(text) => onChange({ since, until: text })} />
    </>
  );
}

interface TimeInputProps {
  label: string;
  value: string;
  onCommit: (text: string | undefined) => void;
}

function TimeInput({ label, value, onCommit }: TimeInputProps) {
  const [draft, setDraft] = useState<string>();
  const text = draft ?? value;
  const isInvalid = text.trim() !== '' && parseTime(text.trim(), new Date(0)) === undefined;
  const commit = () => {
    if (draft === undefined || isInvalid) return;
    setDraft(undefined);
    if (draft.trim() !== value) onCommit(draft.trim() === '' ? undefined : draft.trim());
  };
  return (
    <TextInput
      className="period-time"
      size="xs"
      label={label}
      placeholder="now"
      value={text}
      error={isInvalid ? 'For example -90d or 2026-08-01' : undefined}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
    />
  );
}

interface BucketSizePickerProps {
  chosen: BucketSize | undefined;
  /** The default for the period. */
  defaultSize: BucketSize;
  onChange: (size: BucketSize | undefined) => void;
}

const BUCKETS = [
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
];

/** Chooses the bucket size; the default follows the period. */
export function BucketSizePicker({ chosen, defaultSize, onChange }: BucketSizePickerProps) {
  return (
    <SegmentedControl
      aria-label="Bucket size"
      size="xs"
      data={BUCKETS}
      value={chosen ?? defaultSize}
      onChange={(value) => onChange(value === defaultSize ? undefined : (value as BucketSize))}
    />
  );
}
