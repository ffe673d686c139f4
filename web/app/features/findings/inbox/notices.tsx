import { Button } from '@mantine/core';
import { infiniteQueryOptions, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { notifications } from '#web/foundation/api/services.ts';
import { notifyProblem } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { LoadMore } from '#web/ui/page/load-more.tsx';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { AllDone } from './empty-inbox.tsx';

type Notice = Awaited<ReturnType<typeof notifications.getNotifications>>['notifications'][number];

const noticesQuery = (deploymentId: string) =>
  infiniteQueryOptions({
    queryKey: [deploymentId, 'inbox', 'notices'],
    queryFn: ({ pageParam: cursor, signal }) =>
      notifications.getNotifications({ path: { deploymentId }, query: { cursor } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => (cursor === undefined || cursor === '' ? undefined : cursor),
  });

/** Notifications for the person, newest first; those that were not seen yet stand out. */
export function Notices() {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const notices = useInfiniteQuery(noticesQuery(deploymentId));
  const { data, error, isPending, refetch } = notices;
  const markSeen = useMutation({
    mutationFn: (notificationIds: string[]) =>
      notifications.markNotificationsAsSeen({ path: { deploymentId }, body: { notificationIds } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: [deploymentId, 'inbox', 'notices'] });
      await queryClient.invalidateQueries({ queryKey: [deploymentId, 'counts', 'inbox'] });
    },
    onError: notifyProblem,
  });
  if (isPending) return <LoadingRows rows={4} height={60} />;
  if (!data) return <ProblemView error={error} onRetry={() => void refetch()} />;
  const items = data.pages.flatMap((page) => page.notifications);
  if (items.length === 0)
    return <AllDone title="No notifications" why="Mentions of you and warnings of the server appear here." />;
  const unseen = items.filter(({ status }) => status === 'STATUS_DELIVERED').map(({ id }) => id);
  return (
    <>
      {unseen.length > 0 && (
        <p className="inbox-as-list">
          <Button
            size="compact-sm"
            variant="default"
            loading={markSeen.isPending}
            onClick={() => markSeen.mutate(unseen)}
          >
            Mark all as seen
          </Button>
        </p>
      )}
      <ul className="inbox-rows" aria-label="Notifications">
        {items.map((notice) => (
          <NoticeRow key={notice.id} notice={notice} onSeen={() => markSeen.mutate([notice.id])} />
        ))}
      </ul>
      <LoadMore {...notices} />
    </>
  );
}

function NoticeRow({ notice, onSeen }: { notice: Notice; onSeen: () => void }) {
  const { title, description, link, linkText, isExternalLink, createdAt, status } = notice;
  const isNew = status === 'STATUS_DELIVERED';
  return (
    <li className="inbox-row">
      <div className="inbox-row-line">
        {link === '' ? (
          <span className="inbox-row-title">{title}</span>
        ) : (
          <a
            className="inbox-row-title"
            href={link}
            title={linkText}
            {...(isExternalLink ? { rel: 'noreferrer' } : {})}
            onClick={() => isNew && onSeen()}
          >
            {title}
          </a>
        )}
        {isNew && (
          <div className="inbox-row-actions">
            <Button size="compact-xs" variant="default" aria-label={`Mark as seen: ${title}`} onClick={onSeen}>
              Seen
            </Button>
          </div>
        )}
      </div>
      <p className="inbox-row-facts">
        <span>{isNew ? 'New' : 'Seen'}</span>
        <span>{description}</span>
        <span>
          <RelativeTime at={createdAt} />
        </span>
      </p>
    </li>
  );
}
