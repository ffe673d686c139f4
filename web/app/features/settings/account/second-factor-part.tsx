import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { AddAppDialog } from './add-app-dialog.tsx';
import { ChangeAppDialog } from './change-app-dialog.tsx';
import { secondFactorQuery } from './queries.ts';

/** The authenticator app of the user, and its recovery codes. */
export function SecondFactorPart() {
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<'add' | 'codes' | 'remove'>();
  const state = useQuery(secondFactorQuery);
  const close = () => {
    setOpen(undefined);
    void queryClient.invalidateQueries({ queryKey: ['account'] });
  };
  return (
    <section className="account-part" aria-labelledby="second-factor-title">
      <h2 id="second-factor-title">Second factor</h2>
      {state.error && <ProblemView error={state.error} onRetry={() => void state.refetch()} />}
      {state.isPending && <LoadingRows rows={1} />}
      {state.data?.enabled === false && (
        <>
          <p>With an authenticator app, somebody who knows your password still cannot sign in.</p>
          <Button onClick={() => setOpen('add')}>Add an authenticator app</Button>
        </>
      )}
      {state.data?.enabled && (
        <>
          <p className="settings-status" data-kind="good">
            <CircleCheck size={18} aria-hidden="true" />
            <span>
              Authenticator app added <RelativeTime at={state.data.confirmedAt} />; {state.data.recoveryCodesLeft}{' '}
              recovery codes left
            </span>
          </p>
          <div className="settings-row">
            <Button variant="default" onClick={() => setOpen('codes')}>
              New recovery codes
            </Button>
            <Button variant="default" onClick={() => setOpen('remove')}>
              Remove the app
            </Button>
          </div>
        </>
      )}
      {open === 'add' && <AddAppDialog onClose={close} />}
      {(open === 'codes' || open === 'remove') && <ChangeAppDialog change={open} onClose={close} />}
    </section>
  );
}
