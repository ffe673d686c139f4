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

const wishOf = (form: FormData) => ({
  name: String(form.get('name')).trim(),
  email: String(form.get('email')).trim(),
  password: String(form.get('password')),
  deploymentName: String(form.get('deploymentName')).trim(),
});

type Wish = ReturnType<typeof wishOf>;

function missing(wish: Wish): Partial<Record<keyof Wish, string>> {
  const entries = Object.entries(wish).flatMap(([name, value]) => (value === '' ? [[name, 'This is needed.']] : []));
  const isShort = wish.password !== '' && [...wish.password].length < MIN_PASSWORD_LENGTH;
  return { ...Object.fromEntries(entries), ...(isShort ? { password: passwordHint(wish.password) } : {}) };
}

/** A weak password is a fault of its own: it belongs to its field all the same. */
const fieldErrors = (problem: Problem | undefined): Record<string, string> => ({
  ...problem?.fieldErrors(),
  ...(problem?.body.code === 'PASSWORD_TOO_WEAK' ? { password: problem.body.detail } : {}),
});

/** Who becomes the administrator, and of what; beside it what that makes. */
export function SetupForm({ setupToken }: { setupToken: string }) {
  const navigate = useNavigate();
  const [wish, setWish] = useState<Wish>({ name: '', email: '', password: '', deploymentName: '' });
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setIsBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const asked = wishOf(new FormData(event.currentTarget));
    const lacks = missing(asked);
    setErrors(lacks);
    setProblem(undefined);
    if (Object.keys(lacks).length > 0) return;
    setIsBusy(true);
    try {
      setSession(await sessions.setUp({ body: { setupToken, ...asked } }));
      const [org] = await queryClient.fetchQuery(orgsQuery);
      await navigate({ to: '/o/$slug/start', params: { slug: org?.slug ?? '' } });
    } catch (error) {
      const found = asProblem(error);
      setProblem(found);
      setErrors(fieldErrors(found));
      setIsBusy(false);
    }
  };
  const change = (event: FormEvent<HTMLFormElement>) => setWish(wishOf(new FormData(event.currentTarget)));
  return (
    <div className="welcome-columns">
      <form className="welcome-form" onSubmit={(event) => void submit(event)} onInput={change} noValidate>
        <p>You become its first administrator. It takes a minute, and everything can be changed later.</p>
        {problem && <ProblemView error={problem} />}
        <TextInput label="Your name" name="name" autoComplete="name" error={errors['name']} autoFocus />
        <TextInput
          label="E-mail address"
          description="You sign in with it. Nothing is sent to it."
          name="email"
          type="email"
          autoComplete="username"
          error={errors['email']}
        />
        <PasswordInput
          label="Password"
          description={passwordHint(wish.password)}
          name="password"
          autoComplete="new-password"
          error={errors['password']}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide what is typed' }}
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
      <Gains wish={wish} />
    </div>
  );
}

function Gains({ wish }: { wish: Wish }) {
  const organization = wish.deploymentName || 'Your organization';
  return (
    <aside className="welcome-gains" aria-label="What you get">
      <h2>What you get</h2>
      <dl>
        <dt>{organization}</dt>
        <dd>The home of your projects, people and findings.</dd>
        <dt>{wish.name === '' ? 'You' : wish.name}, as administrator</dt>
        <dd>May do everything in this organization.</dd>
        <dt>A default team</dt>
        <dd>All projects and all people join it by themselves. You manage it.</dd>
        <dt>Read-only for new people</dt>
        <dd>Whoever joins may look, and change nothing until you allow it.</dd>
      </dl>
    </aside>
  );
}
