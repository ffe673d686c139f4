import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { asProblem, type Problem } from '#web/foundation/api/problem.ts';
import { queryClient } from '#web/foundation/api/query-client.ts';
import { sessions } from '#web/foundation/api/services.ts';
import { setSession } from '#web/foundation/api/session.ts';
import { orgsQuery } from '#web/foundation/session/org.ts';
import { ProblemView } from '#web/ui/page/view-states.tsx';
import { MIN_PASSWORD_LENGTH, passwordHint } from './setup-token.ts';

const valuesOf = (form: FormData) => ({
  name: String(form.get('name')).trim(),
  email: String(form.get('email')).trim(),
  password: String(form.get('password')),
  deploymentName: String(form.get('deploymentName')).trim(),
});

type SetupValues = ReturnType<typeof valuesOf>;

function missing(values: SetupValues): Partial<Record<keyof SetupValues, string>> {
  const entries = Object.entries(values).flatMap(([name, value]) =>
    value === '' ? [[name, 'This field is required.']] : [],
  );
  const isShort = values.password !== '' && [...values.password].length < MIN_PASSWORD_LENGTH;
  return { ...Object.fromEntries(entries), ...(isShort ? { password: passwordHint(values.password) } : {}) };
}

/** PASSWORD_TOO_WEAK has no field pointer, so it is assigned to the password field here. */
const fieldErrors = (problem: Problem | undefined): Record<string, string> => ({
  ...problem?.fieldErrors(),
  ...(problem?.body.code === 'PASSWORD_TOO_WEAK' ? { password: problem.body.detail } : {}),
});

/** Creates the first administrator and organization, with a preview of what will be created. */
export function SetupForm({ setupToken }: { setupToken: string }) {
  const navigate = useNavigate();
  const [values, setWish] = useState<SetupValues>({ name: '', email: '', password: '', deploymentName: '' });
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setIsBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const submitted = valuesOf(new FormData(event.currentTarget));
    const missingFields = missing(submitted);
    setErrors(missingFields);
    setProblem(undefined);
    if (Object.keys(missingFields).length > 0) return;
    setIsBusy(true);
    try {
      setSession(await sessions.setUp({ body: { setupToken, ...submitted } }));
      const [org] = await queryClient.fetchQuery(orgsQuery);
      await navigate({ to: '/o/$slug/start', params: { slug: org?.slug ?? '' } });
    } catch (error) {
      const failure = asProblem(error);
      setProblem(failure);
      setErrors(fieldErrors(failure));
      setIsBusy(false);
    }
  };
  const change = (event: FormEvent<HTMLFormElement>) => setWish(valuesOf(new FormData(event.currentTarget)));
  return (
    <div className="welcome-columns">
      <form className="welcome-form" onSubmit={(event) => void submit(event)} onInput={change} noValidate>
        <p>You become the first administrator. Everything can be changed later.</p>
        {problem && <ProblemView error={problem} />}
        <TextInput label="Your name" name="name" autoComplete="name" error={errors['name']} autoFocus />
        <TextInput
          label="E-mail address"
          description="You sign in with it. No e-mail is sent."
          name="email"
          type="email"
          autoComplete="username"
          error={errors['email']}
        />
        <PasswordInput
          label="Password"
          description={passwordHint(values.password)}
          name="password"
          autoComplete="new-password"
          error={errors['password']}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
        />
        <TextInput
          label="Organization"
          name="deploymentName"
          autoComplete="organization"
          error={errors['deploymentName']}
        />
        <Button type="submit" loading={isBusy}>
          Create administrator
        </Button>
      </form>
      <SetupPreview values={values} />
    </div>
  );
}

function SetupPreview({ values }: { values: SetupValues }) {
  const organization = values.deploymentName || 'Your organization';
  return (
    <aside className="welcome-preview" aria-label="What is created">
      <h2>What is created</h2>
      <dl>
        <dt>{organization}</dt>
        <dd>Contains your projects, people and findings.</dd>
        <dt>{values.name === '' ? 'You' : values.name}, as administrator</dt>
        <dd>Has every permission in this organization.</dd>
        <dt>A default team</dt>
        <dd>All projects and people join it automatically. You manage it.</dd>
        <dt>Read-only for new people</dt>
        <dd>People who join can view everything but change nothing until you allow it.</dd>
      </dl>
    </aside>
  );
}
