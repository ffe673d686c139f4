import '@mantine/core/styles/NumberInput.layer.css';
import { NativeSelect, NumberInput, Switch, TextInput } from '@mantine/core';
import { formatValue, type SettingValue } from './product-edits.ts';
import type { ProductSetting } from './product-settings.ts';

const POLICIES = [
  { value: 'monitor', label: 'Record only' },
  { value: 'comment', label: 'Comment' },
  { value: 'block', label: 'Block' },
];

interface ProductFieldProps {
  field: ProductSetting;
  value: SettingValue | undefined;
  isEdited: boolean;
  isDisabled: boolean;
  error: string | undefined;
  /** Why the field has no effect as things are; empty where it has. */
  idle: string;
  onChange: (value: SettingValue) => void;
}

/** One setting, with its exact name, what it does, and why it does nothing as things are. */
export function ProductField({ field, value, isEdited, isDisabled, error, idle, onChange }: ProductFieldProps) {
  const { path, label, about, kind } = field;
  const common = {
    label: (
      <>
        {label} {isEdited && <span className="product-edited">· changed</span>}
      </>
    ),
    description: (
      <>
        {about} <code>{path}</code> {idle !== '' && <span className="product-idle">{idle}</span>}
      </>
    ),
    error,
  };
  // A control that is switched off can hardly be read, and what is set is for everybody to read.
  if (isDisabled)
    return (
      <p className="product-read">
        {label}: <strong>{formatValue(value)}</strong>
        <span className="dimmed">{common.description}</span>
      </p>
    );
  switch (kind) {
    case 'switch':
      return (
        <Switch {...common} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
      );
    case 'number':
      return (
        <NumberInput
          {...common}
          min={0}
          max={100}
          value={Number(value ?? 0)}
          onChange={(next) => typeof next === 'number' && onChange(next)}
        />
      );
    case 'policy':
      return (
        <NativeSelect
          {...common}
          data={POLICIES}
          value={String(value)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'words':
      return <Words {...common} value={value} onChange={onChange} />;
    case 'text':
      return (
        <TextInput
          {...common}
          maxLength={256}
          value={String(value ?? '')}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}

type WordsProps = Omit<React.ComponentProps<typeof TextInput>, 'value' | 'onChange'> & {
  value: SettingValue | undefined;
  onChange: (value: SettingValue) => void;
};

/** A list as one line of text: its commas stay while one types. */
function Words({ value, onChange, ...common }: WordsProps) {
  const list = Array.isArray(value) ? value : [];
  return (
    <TextInput
      {...common}
      key={list.join(',')}
      defaultValue={list.join(', ')}
      onBlur={(event) =>
        onChange(
          event.currentTarget.value
            .split(',')
            .map((word) => word.trim())
            .filter((word) => word !== ''),
        )
      }
    />
  );
}
