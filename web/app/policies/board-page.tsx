import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ruleboards } from '#web/api/services.ts';
import { useOrg } from '#web/org/org.ts';
import { CopyAs } from '#web/parts/copy-as.tsx';
import { Page } from '#web/parts/page.tsx';
import { LoadingRows, ProblemView } from '#web/parts/states.tsx';
import { BoardEditor } from './board-editor.tsx';
import { BoardFacts, factsKeyOf } from './board-facts.tsx';
import { MigratedBanner, useIsMigrated } from './migrated-banner.tsx';
import './policies.css';
import { boardQuery, boardsQuery } from './queries.ts';

const route = getRouteApi('/o/$slug/policies/ruleboards/$boardSlug');

/** One board: its rules by column, changes collected and then sent at once (S4.5). */
export function BoardPage() {
  const org = useOrg();
  const { boardSlug } = route.useParams();
  const path = { deploymentId: org.id, ruleboardSlug: boardSlug };
  const isMigrated = useIsMigrated();
  const boards = useQuery(boardsQuery(org.id));
  const content = useQuery(boardQuery(org.id, boardSlug));
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
      actions={<CopyAs operationId="RuleboardService_GetRuleboard" input={{ path }} />}
    >
      <nav className="board-crumb no-print" aria-label="Where this is">
        <Link to="/o/$slug/policies" params={{ slug: org.slug }}>
          Policies
        </Link>{' '}
        / {overview.data?.name}
      </nav>
      <MigratedBanner />
      {error && <ProblemView error={error} onRetry={retry} />}
      {content.data && overview.data && board ? (
        <>
          <BoardFacts
            key={factsKeyOf(overview.data)}
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
