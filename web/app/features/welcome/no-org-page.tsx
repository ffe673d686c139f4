import { Button, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { queryClient } from '#web/foundation/api/query-client.ts';
import { deployments } from '#web/foundation/api/services.ts';
import { orgsQuery } from '#web/foundation/session/org.ts';
import { signOut } from '#web/foundation/session/sign-out.ts';
import { ProblemView } from '#web/ui/page/view-states.tsx';
import { WelcomeFrame } from './welcome-frame.tsx';

/** For users without an organization: create one, or ask for an invitation. */
export function NoOrgPage() {
  const navigate = useNavigate();
  const [error, setError] = useState<unknown>();
  const [isBusy, setIsBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name')).trim();
    setIsBusy(true);
    setError(undefined);
    try {
      await deployments.createDeployment({ body: { deploymentName: name } });
      // The home route uses cached organizations regardless of their age, so drop them.
      queryClient.removeQueries(orgsQuery);
      await navigate({ to: '/' });
    } catch (problem) {
      setError(problem);
      setIsBusy(false);
    }
  };
  return (
    <WelcomeFrame title="You are not in an organization yet">
      <p>Ask an administrator for an invitation, or create an organization if this server lets you.</p>
      <form className="welcome-form" onSubmit={(event) => void submit(event)}>
        <TextInput label="Organization" name="name" required />
        <Button type="submit" loading={isBusy}>
          Create organization
        </Button>
        <Button variant="default" onClick={() => void signOut()}>
          Sign out
        </Button>
        {error !== undefined && <ProblemView error={error} />}
      </form>
    </WelcomeFrame>
  );
}
