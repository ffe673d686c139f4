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
  /** Why the setting currently has no effect; empty if it has. */
  inactiveReason: string;
  onChange: (value: SettingValue) => void;
}

/** One product setting with its API path and description. */
export function ProductField({
  field,
  value,
  isEdited,
  isDisabled,
  error,
  inactiveReason,
  onChange,
}: ProductFieldProps) {
  const { path, label, description, kind } = field;
  const common = {
    label: (
      <>
        {label} {isEdited && <span className="product-edited">· changed</span>}
      </>
    ),
    description: (
      <>
        {description} <code>{path}</code>{' '}
        {inactiveReason !== '' && <span className="product-inactive">{inactiveReason}</span>}
      </>
    ),
    error,
  };
  // Show text instead of a disabled control, which is hard to read.
  if (isDisabled)
    return (
      <p className="product-read-only">
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
      return <ListInput {...common} value={value} onChange={onChange} />;
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

type ListInputProps = Omit<React.ComponentProps<typeof TextInput>, 'value' | 'onChange'> & {
  value: SettingValue | undefined;
  onChange: (value: SettingValue) => void;
};

/** Edits a list as comma-separated text; parsed on blur, so that typing a comma works. */
function ListInput({ value, onChange, ...common }: ListInputProps) {
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
