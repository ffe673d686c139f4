import { Button, PasswordInput, TextInput } from '@mantine/core';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Problem } from '#web/foundation/api/problem.ts';
import { queryClient } from '#web/foundation/api/query-client.ts';
import { sessions } from '#web/foundation/api/services.ts';
import { setSession } from '#web/foundation/api/session.ts';
import { ProblemView } from '#web/ui/page/view-states.tsx';
import { safePath } from './safe-path.ts';
import { SignInWays } from './sign-in-ways.tsx';
import { WelcomeFrame } from './welcome-frame.tsx';

const route = getRouteApi('/sign-in');

/** Signs in with a password or an identity provider, then returns to the requested page. */
export function SignInPage() {
  const { next, org } = route.useSearch();
  const emailField = useRef<HTMLInputElement>(null);
  const { history } = useRouter();
  const [error, setError] = useState<unknown>();
  const [isBusy, setIsBusy] = useState(false);
  const [needsCode, setNeedsCode] = useState(false);
  useEffect(() => {
    document.title = 'Sign in · Parapet';
  }, []);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setIsBusy(true);
    try {
      const code = form.get('code');
      const body = {
        email: String(form.get('email')),
        password: String(form.get('password')),
        ...(code !== null && { code: String(code) }),
      };
      setSession(await sessions.createSession({ body }));
      queryClient.clear();
      history.replace(safePath(next));
    } catch (problem) {
      // The first refusal for want of a code only opens the field.
      const isAsked = problem instanceof Problem && problem.body.code === 'SECOND_FACTOR_REQUIRED';
      setNeedsCode(needsCode || isAsked);
      setError(isAsked ? undefined : problem);
      setIsBusy(false);
    }
  };
  return (
    <WelcomeFrame title="Sign in">
      <form className="welcome-form" onSubmit={(event) => void submit(event)}>
        <TextInput
          ref={emailField}
          label="E-mail address"
          name="email"
          type="email"
          autoComplete="username"
          required
          autoFocus
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
        />
        {needsCode && (
          <TextInput
            label="Code of your authenticator app"
            description="Or one of your recovery codes."
            name="code"
            autoComplete="one-time-code"
            required
            autoFocus
          />
        )}
        <Button type="submit" loading={isBusy} fullWidth>
          Sign in
        </Button>
        {error !== undefined && <ProblemView error={error} />}
        <SignInWays organization={org} next={safePath(next)} emailField={emailField} />
        <a href="/reset-password">Forgotten your password?</a>
      </form>
    </WelcomeFrame>
  );
}
