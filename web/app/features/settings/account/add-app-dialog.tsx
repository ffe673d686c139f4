import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { encode } from 'uqr';
import { secondFactor } from '#web/foundation/api/services.ts';
import { Dialog } from '#web/ui/dialog/dialog.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { FormProblem } from '../parts/form-problem.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

type Begun = Awaited<ReturnType<typeof secondFactor.beginSecondFactor>>;

/** Adds an authenticator app: the password, a QR code, the first code, and the recovery codes. */
export function AddAppDialog({ onClose }: { onClose: () => void }) {
  const [begun, setBegun] = useState<Begun>();
  const [codes, setCodes] = useState<readonly string[]>();
  return (
    <Dialog onClose={onClose} title="Add an authenticator app" size="lg" closeOnClickOutside={false}>
      {codes ? (
        <RecoveryCodes codes={codes} onClose={onClose} />
      ) : begun ? (
        <ConfirmApp begun={begun} onConfirmed={setCodes} />
      ) : (
        <AskPassword onBegun={setBegun} />
      )}
    </Dialog>
  );
}

function AskPassword({ onBegun }: { onBegun: (begun: Begun) => void }) {
  const [password, setPassword] = useState('');
  const beginning = useMutation({
    mutationFn: () => secondFactor.beginSecondFactor({ body: { password } }),
    onSuccess: onBegun,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    beginning.mutate();
  };
  return (
    <form className="settings-form" onSubmit={submit}>
      <FormProblem error={beginning.error} />
      <PasswordInput
        label="Your password"
        autoComplete="current-password"
        required
        data-autofocus
        value={password}
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <div className="settings-form-actions">
        <Button type="submit" loading={beginning.isPending}>
          Continue
        </Button>
      </div>
    </form>
  );
}

function ConfirmApp({ begun, onConfirmed }: { begun: Begun; onConfirmed: (codes: readonly string[]) => void }) {
  const [code, setCode] = useState('');
  const confirming = useMutation({
    mutationFn: () => secondFactor.confirmSecondFactor({ body: { code } }),
    onSuccess: ({ recoveryCodes }) => onConfirmed(recoveryCodes),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirming.mutate();
  };
  return (
    <form className="settings-form" onSubmit={submit}>
      <FormProblem error={confirming.error} />
      <p>Scan this with the app, or type the key:</p>
      <QrCode text={begun.uri} />
      <CodeBlock text={begun.secret} label="key" />
      <TextInput
        label="Code that the app shows"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        data-autofocus
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <div className="settings-form-actions">
        <Button type="submit" loading={confirming.isPending}>
          Confirm
        </Button>
      </div>
    </form>
  );
}

/** A QR code as one path: a square for each dark cell. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg className="account-qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label="QR code of the key">
      <path d={path} fill="#000" />
    </svg>
  );
}
