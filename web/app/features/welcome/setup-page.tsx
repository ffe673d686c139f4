import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { SetupForm } from './setup-form.tsx';
import { parseSetupToken } from './setup-token.ts';
import { WelcomeFrame } from './welcome-frame.tsx';

/** Takes the token out of the address, where it would be seen and remembered. */
function takeToken(): string {
  const token = parseSetupToken(location.hash);
  if (token !== '') history.replaceState(history.state, '', location.pathname);
  return token;
}

/** The one-time link leads here: the first administrator and the first organization are made. */
export function SetupPage() {
  const [token, setToken] = useState(takeToken);
  useEffect(() => {
    document.title = 'Set-up · Parapet';
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
    if (token === '') setError('This is neither a set-up link nor its token.');
    else onToken(token);
  };
  return (
    <>
      <p>The first administrator is made with a one-time link, so that nobody else on the network can do it.</p>
      <ol>
        <li>
          Look at the output of the server: on its first run it prints a link that ends in <code>/setup#t=…</code>.
        </li>
        <li>
          Where its output goes to no terminal, the link is in the file <code>data/setup-token</code>.
        </li>
        <li>A link is good for 30 minutes. Restart the server to get a new one while there is no administrator.</li>
      </ol>
      <form className="welcome-form welcome-narrow" onSubmit={submit} noValidate>
        <TextInput label="Set-up link or its token" name="link" autoComplete="off" spellCheck={false} error={error} />
        <Button type="submit">Continue</Button>
      </form>
      <p>
        Is the set-up done already? <a href="/sign-in">Sign in</a>.
      </p>
    </>
  );
}
