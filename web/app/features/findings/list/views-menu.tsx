import { ActionIcon, Button, Menu } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bookmark, Pin, PinOff, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type SavedView, savedViewsQuery } from '#web/foundation/api/saved-view-queries.ts';
import { savedViews } from '#web/foundation/api/services.ts';
import { notifyProblem } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { parseSearch } from '#web/foundation/url/search-params.ts';
import { SaveViewDialog } from './save-view-dialog.tsx';

/** Opens, pins, saves and deletes views of the list. */
export function ViewsMenu() {
  const { id: deployment, slug } = useOrg();
  const queryClient = useQueryClient();
  const [isSaving, setIsSaving] = useState(false);
  const { data: views = [] } = useQuery(savedViewsQuery(deployment));
  const shared = {
    onSuccess: () => queryClient.invalidateQueries(savedViewsQuery(deployment)),
    onError: notifyProblem,
  };
  const pin = useMutation({
    ...shared,
    mutationFn: ({ id, isPinned }: SavedView) =>
      savedViews.pinSavedView({ path: { deployment, viewId: id }, body: { isPinned: !isPinned } }),
  });
  const remove = useMutation({
    ...shared,
    mutationFn: ({ id }: SavedView) => savedViews.deleteSavedView({ path: { deployment, viewId: id } }),
  });
  return (
    <>
      <Menu position="bottom-end" width={320}>
        <Menu.Target>
          <Button variant="default" leftSection={<Bookmark size={16} />}>
            Views
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setIsSaving(true)}>Save this view…</Menu.Item>
          {views.length > 0 && <Menu.Label>Saved views</Menu.Label>}
          {views.map((view) => (
            <div key={view.id} role="none" className="findings-view">
              <Menu.Item
                renderRoot={(props) => (
                  <Link to="/o/$slug/findings" params={{ slug }} search={parseSearch(view.search)} {...props} />
                )}
              >
                {view.name}
                <span className="dimmed findings-view-team">
                  {view.isOwn ? (view.teamName ?? '') : `${view.owner}, ${view.teamName ?? ''}`}
                </span>
              </Menu.Item>
              <ActionIcon
                role="menuitem"
                variant="subtle"
                color="gray"
                aria-label={`${view.isPinned ? 'Unpin' : 'Pin'} ${view.name}`}
                onClick={() => pin.mutate(view)}
              >
                {view.isPinned ? <PinOff size={16} /> : <Pin size={16} />}
              </ActionIcon>
              {view.isOwn && (
                <ActionIcon
                  role="menuitem"
                  variant="subtle"
                  color="gray"
                  aria-label={`Delete ${view.name}`}
                  onClick={() => remove.mutate(view)}
                >
                  <Trash2 size={16} />
                </ActionIcon>
              )}
            </div>
          ))}
        </Menu.Dropdown>
      </Menu>
      {isSaving && <SaveViewDialog onClose={() => setIsSaving(false)} />}
    </>
  );
}
