import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { singleSignOn } from '#web/foundation/api/services.ts';
import { ProblemView } from '#web/ui/page/view-states.tsx';

interface SignInWaysProps {
  organization: string | undefined;
  next: string;
  /** The field with the e-mail address, which tells the identity provider. */
  emailField: RefObject<HTMLInputElement | null>;
}

/** The identity providers of the organization, and the one that the e-mail address belongs to. */
export function SignInWays({ organization, next, emailField }: SignInWaysProps) {
  const [error, setError] = useState<unknown>();
  const [message, setMessage] = useState('');
  const list = useQuery({
    queryKey: ['sign-in-ways', organization],
    queryFn: async ({ signal }) =>
      (await singleSignOn.listSignInWays({ body: organization === undefined ? {} : { organization } }, { signal }))
        .ways,
    retry: false,
  });
  const start = async (way: string, email?: string) => {
    const body = { way, next, ...(email === undefined ? {} : { email }) };
    location.assign((await singleSignOn.startSignIn({ body })).redirectUrl);
  };
  const startByEmail = async () => {
    const email = emailField.current?.value ?? '';
    if (!emailField.current?.reportValidity()) return;
    const [way] = (await singleSignOn.listSignInWays({ body: { email } })).ways;
    if (way) await start(way.way, email);
    else setMessage('This address has no identity provider here. Sign in with your password.');
  };
  const run = (work: Promise<void>) => {
    setError(undefined);
    setMessage('');
    work.catch(setError);
  };
  return (
    <>
      {list.data?.map(({ way, name }) => (
        <Button key={name} variant="default" fullWidth onClick={() => run(start(way))}>
          Sign in with {name}
        </Button>
      ))}
      <Button variant="subtle" fullWidth leftSection={<KeyRound size={16} />} onClick={() => run(startByEmail())}>
        Use single sign-on
      </Button>
      <p role="status">{message}</p>
      {error !== undefined && <ProblemView error={error} />}
    </>
  );
}
