import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ruleboards } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { BoardDetails, detailsKey } from './board-details.tsx';
import { BoardEditor } from './board-editor.tsx';
import { MigratedBanner, useIsMigrated } from './migrated-banner.tsx';
import './policies.css';
import { ruleboardQuery, ruleboardsQuery } from './queries.ts';

const route = getRouteApi('/o/$slug/policies/ruleboards/$boardSlug');

/** A ruleboard: its rules by column, with changes saved in one request (S4.5). */
export function BoardPage() {
  const org = useOrg();
  const { boardSlug } = route.useParams();
  const path = { deploymentId: org.id, ruleboardSlug: boardSlug };
  const isMigrated = useIsMigrated();
  const boards = useQuery(ruleboardsQuery(org.id));
  const content = useQuery(ruleboardQuery(org.id, boardSlug));
  const overview = useQuery({
    queryKey: [org.id, 'ruleboards', boardSlug, 'overview'],
    queryFn: ({ signal }) => ruleboards.getRuleboardOverview({ path }, { signal }),
  });
  const board = boards.data?.find(({ slug }) => slug === boardSlug);
  const error = content.error ?? overview.error ?? boards.error;
  const retry = () => {
    for (const query of [content, overview, boards]) if (query.error) void query.refetch();
  };
  const isReadOnly = isMigrated || !org.may('policy:manage');
  return (
    <Page
      title={overview.data?.name ?? 'Ruleboard'}
      actions={<CopyAsMenu operationId="RuleboardService_GetRuleboard" input={{ path }} />}
    >
      <nav className="board-breadcrumb no-print" aria-label="Breadcrumb">
        <Link to="/o/$slug/policies" params={{ slug: org.slug }}>
          Policies
        </Link>{' '}
        / {overview.data?.name}
      </nav>
      <MigratedBanner />
      {error && <ProblemView error={error} onRetry={retry} />}
      {content.data && overview.data && board ? (
        <>
          <BoardDetails
            key={detailsKey(overview.data)}
            boardSlug={boardSlug}
            overview={overview.data}
            isReadOnly={isReadOnly}
          />
          <BoardEditor
            key={boardSlug}
            board={board}
            rows={content.data.rows}
            version={content.data.version}
            isReadOnly={isReadOnly}
          />
        </>
      ) : (
        !error && <LoadingRows rows={10} />
      )}
    </Page>
  );
}
