import { Button, Checkbox, Group, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { savedViewsQuery } from '#web/foundation/api/saved-view-queries.ts';
import { savedViews, teams } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { searchWithout } from '#web/foundation/url/search-params.ts';
import { Dialog } from '#web/ui/dialog/dialog.tsx';
import { ProblemView } from '#web/ui/page/view-states.tsx';

const MAX_TEAMS = '100';

/** Saves the address of the list under a name; the open finding is not part of it. */
export function SaveViewDialog({ onClose }: { onClose: () => void }) {
  const { id: deployment, may } = useOrg();
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [team, setTeam] = useState('');
  const [isPinned, setIsPinned] = useState(true);
  const { data: shareable = [] } = useQuery({
    queryKey: [deployment, 'saved-views', 'teams'],
    enabled: may('team:read'),
    queryFn: async ({ signal }) => {
      const path = { deploymentId: deployment };
      return (await teams.listDeploymentTeams({ path, body: { limit: MAX_TEAMS } }, { signal })).teams;
    },
  });
  const save = useMutation({
    mutationFn: () => {
      const search = searchWithout(window.location.search, ['at']).replace(/^\?/, '');
      const body = { name: name.trim(), search, isPinned, ...(team !== '' && { teamId: team }) };
      return savedViews.createSavedView({ path: { deployment }, body });
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries(savedViewsQuery(deployment));
      notify(`Saved as “${name.trim()}”.`);
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') save.mutate();
  };
  return (
    <Dialog onClose={onClose} title="Save this view" size="sm">
      <form onSubmit={submit}>
        {save.error && <ProblemView error={save.error} />}
        <TextInput
          label="Name"
          data-autofocus
          required
          maxLength={128}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <NativeSelect
          mt="sm"
          label="Share with"
          description="Members of the team, and of the teams below it, see the view too."
          value={team}
          data={[{ value: '', label: 'Nobody' }, ...shareable.map(({ id, name: label }) => ({ value: id, label }))]}
          onChange={(event) => setTeam(event.currentTarget.value)}
        />
        <Checkbox
          mt="sm"
          label="Pin to the navigation"
          checked={isPinned}
          onChange={(event) => setIsPinned(event.currentTarget.checked)}
        />
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending} disabled={name.trim() === ''}>
            Save
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
