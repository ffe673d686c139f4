import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { SetupForm } from './setup-form.tsx';
import { parseSetupToken } from './setup-token.ts';
import { WelcomeFrame } from './welcome-frame.tsx';

/** Removes the token from the URL, so that it stays out of the browser history. */
function takeToken(): string {
  const token = parseSetupToken(location.hash);
  if (token !== '') history.replaceState(history.state, '', location.pathname);
  return token;
}

/** The target of the one-time setup link, which creates the first administrator and organization. */
export function SetupPage() {
  const [token, setToken] = useState(takeToken);
  useEffect(() => {
    document.title = 'Setup · Parapet';
    const read = () => setToken((before) => takeToken() || before);
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return (
    <WelcomeFrame title="Set up this server" isWide>
      {token === '' ? <AskForLink onToken={setToken} /> : <SetupForm setupToken={token} />}
    </WelcomeFrame>
  );
}

function AskForLink({ onToken }: { onToken: (token: string) => void }) {
  const [error, setError] = useState('');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const token = parseSetupToken(String(new FormData(event.currentTarget).get('link')));
    if (token === '') setError('This is not a setup link or token.');
    else onToken(token);
  };
  return (
    <>
      <p>The first administrator is created with a one-time link, so that nobody else on the network can do it.</p>
      <ol>
        <li>
          Look at the server log: on its first start it prints a link that ends in <code>/setup#t=…</code>.
        </li>
        <li>
          If the server has no terminal, the link is in the file <code>data/setup-token</code>.
        </li>
        <li>A link is valid for 30 minutes. Until there is an administrator, restart the server to get a new one.</li>
      </ol>
      <form className="welcome-form welcome-narrow" onSubmit={submit} noValidate>
        <TextInput label="Setup link or token" name="link" autoComplete="off" spellCheck={false} error={error} />
        <Button type="submit">Continue</Button>
      </form>
      <p>
        Already set up? <a href="/sign-in">Sign in</a>.
      </p>
    </>
  );
}
