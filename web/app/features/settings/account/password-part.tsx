import { Button, PasswordInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { account } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { FormProblem, fieldErrorsOf } from '../parts/form-problem.tsx';

const reveal = { 'aria-label': 'Show or hide the password' };

/** Changes the password. */
export function PasswordPart() {
  const queryClient = useQueryClient();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const saving = useMutation({
    mutationFn: () => account.changePassword({ body: { currentPassword: current, newPassword: next } }),
    onSuccess: async () => {
      notify('Password changed. Your other sessions have ended.');
      setCurrent('');
      setNext('');
      await queryClient.invalidateQueries({ queryKey: ['account'] });
    },
  });
  const errors = fieldErrorsOf(saving.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <section className="account-part" aria-labelledby="password-title">
      <h2 id="password-title">Password</h2>
      <form className="settings-form" onSubmit={submit}>
        <FormProblem error={saving.error} />
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          value={current}
          error={errors['currentPassword']}
          visibilityToggleButtonProps={reveal}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        <PasswordInput
          label="New password"
          description="12 characters or more; a passphrase works well."
          autoComplete="new-password"
          required
          value={next}
          error={errors['newPassword']}
          visibilityToggleButtonProps={reveal}
          onChange={(event) => setNext(event.currentTarget.value)}
        />
        <Button type="submit" loading={saving.isPending}>
          Change the password
        </Button>
      </form>
    </section>
  );
}
