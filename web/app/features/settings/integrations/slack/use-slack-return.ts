import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { slack } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { useSettingsSearch } from '../../parts/use-settings-search.ts';
import { refusalText, slackReturnOf } from './slack-status.ts';

/** Ends the installation when Slack has returned to this page, and removes its answer from the address. */
export function useSlackReturn() {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const { search, update } = useSettingsSearch();
  const [refusal, setRefusal] = useState('');
  const handled = useRef('');
  const finishing = useMutation({
    mutationFn: (body: { code: string; state: string }) => slack.handleSlackCallback({ path: { deploymentId }, body }),
    // Cards of channels and what their destinations are like change too.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [deploymentId] }),
  });
  useEffect(() => {
    const answer = slackReturnOf(search);
    // A code is accepted once, and effects may run twice.
    const key = JSON.stringify(answer ?? '');
    if (!answer || handled.current === key) return;
    handled.current = key;
    update({ code: undefined, state: undefined, error: undefined }, true);
    if (answer.code !== undefined) finishing.mutate(answer);
    else setRefusal(refusalText(answer.error));
  });
  return { finishing, refusal };
}
