import { Button, Select } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { slack } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { Dialog } from '#web/ui/dialog/dialog.tsx';
import { LoadMore } from '#web/ui/page/load-more.tsx';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { FormProblem } from '../../parts/form-problem.tsx';
import { conversationsQuery } from './slack-queries.ts';

const MAX_SHOWN = 100;

/** Picks a channel of the workspace, so that automations can post to it. */
export function AddChannel({ onClose }: { onClose: () => void }) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const [channelId, setChannelId] = useState<string | null>(null);
  const list = useInfiniteQuery(conversationsQuery(deploymentId));
  const adding = useMutation({
    mutationFn: (id: string) => slack.createSlackChannelMapping({ path: { deploymentId }, body: { channel_id: id } }),
    onSuccess: async ({ channel_mapping: { channel_name: name } }) => {
      notify(`#${name} added`);
      await queryClient.invalidateQueries({ queryKey: [deploymentId] });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (channelId !== null) adding.mutate(channelId);
  };
  const channels = list.data?.pages.flatMap((page) => page.channels);
  const chosen = channels?.find((channel) => channel.channel_id === channelId);
  return (
    <Dialog onClose={onClose} title="Add a Slack channel" size="lg">
      <form className="settings-form" onSubmit={submit}>
        <FormProblem error={adding.error} />
        {list.error && <ProblemView error={list.error} onRetry={() => void list.refetch()} />}
        {list.isPending && <LoadingRows rows={1} />}
        {channels && (
          <>
            <Select
              label="Channel"
              description="A private channel is listed after somebody has invited the app to it."
              required
              searchable
              limit={MAX_SHOWN}
              data-autofocus
              data={channels.map(({ channel_id: value, channel_name: name, is_private: isPrivate }) => ({
                value,
                label: `#${name}${isPrivate ? ' (private)' : ''}`,
              }))}
              value={channelId}
              nothingFoundMessage={list.hasNextPage ? 'Not among the channels loaded so far' : 'No such channel'}
              onChange={setChannelId}
            />
            <LoadMore {...list} />
          </>
        )}
        {chosen?.is_private && !chosen.is_member && (
          <p className="settings-note" data-kind="warn">
            Invite the app to the channel first: it cannot post to a private channel otherwise.
          </p>
        )}
        <div className="settings-form-actions">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={channelId === null} loading={adding.isPending}>
            Add
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
