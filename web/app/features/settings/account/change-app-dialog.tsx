import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { secondFactor } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { Dialog } from '#web/ui/dialog/dialog.tsx';
import { FormProblem } from '../parts/form-problem.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

const TEXTS = {
  codes: { title: 'New recovery codes', action: 'Make new codes', note: 'The old codes stop working.' },
  remove: { title: 'Remove the authenticator app', action: 'Remove', note: 'Then your password alone signs you in.' },
};

/** Removes the app or replaces its recovery codes, with the password and a code. */
export function ChangeAppDialog({ change, onClose }: { change: 'codes' | 'remove'; onClose: () => void }) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [codes, setCodes] = useState<readonly string[]>();
  const { title, action, note } = TEXTS[change];
  const changing = useMutation({
    mutationFn: async () => {
      const body = { password, code };
      if (change === 'codes') return setCodes((await secondFactor.renewRecoveryCodes({ body })).recoveryCodes);
      await secondFactor.removeSecondFactor({ body });
      notify('Authenticator app removed');
      return onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    changing.mutate();
  };
  return (
    <Dialog onClose={onClose} title={title} size="md" closeOnClickOutside={false}>
      {codes ? (
        <RecoveryCodes codes={codes} onClose={onClose} />
      ) : (
        <form className="settings-form" onSubmit={submit}>
          <FormProblem error={changing.error} />
          <p>{note}</p>
          <PasswordInput
            label="Your password"
            autoComplete="current-password"
            required
            data-autofocus
            value={password}
            visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <TextInput
            label="Code of the app, or a recovery code"
            autoComplete="one-time-code"
            required
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <div className="settings-form-actions">
            <Button type="submit" loading={changing.isPending}>
              {action}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
