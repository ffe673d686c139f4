import { Button, PasswordInput } from '@mantine/core';
import { CopyText } from '#web/ui/clipboard/copy-text.tsx';

const SECRET_BYTES = 24;

/** A random secret in the form of Standard Webhooks. */
export function generateSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

interface SecretFieldProps {
  label: string;
  description: string;
  value: string;
  error: string | undefined;
  isRequired?: boolean;
  onChange: (value: string) => void;
}

/** The secret of a webhook, entered or generated. It is never shown again after saving. */
export function SecretField({ label, description, value, error, isRequired = false, onChange }: SecretFieldProps) {
  return (
    <div className="settings-row">
      <PasswordInput
        label={label}
        description={description}
        required={isRequired}
        autoComplete="off"
        value={value}
        error={error}
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the secret' }}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Button variant="default" onClick={() => onChange(generateSecret())}>
        Generate
      </Button>
      {value !== '' && <CopyText text={value} label="secret" isHidden />}
    </div>
  );
}
