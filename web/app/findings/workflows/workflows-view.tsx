import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useOrg } from '#web/org/org.ts';
import { CopyAs } from '#web/parts/copy-as.tsx';
import { Page } from '#web/parts/page.tsx';
import { Empty, LoadingRows, ProblemView } from '#web/parts/states.tsx';
import { FilterBar } from '#web/query/filter-bar.tsx';
import { DEFAULT_Q } from '#web/query/view.ts';
import { BulkDialog } from '../bulk-dialog.tsx';
import '../findings.css';
import { Grid, type GridHandle } from '../grid.tsx';
import { type Item, rowItems } from '../items.ts';
import { ListState } from '../list-state.ts';
import { type Place, usePlace } from '../place.ts';
import { SelectionBar } from '../selection-bar.tsx';
import { StateTabs } from '../state-tabs.tsx';
import { ShapeMenu } from '../toolbar.tsx';
import type { Triage } from '../triage.ts';
import { TypeSwitch } from '../type-switch.tsx';
import { useDecisions } from '../use-decisions.ts';
import { useListKeys } from '../use-list-keys.ts';
import { workflowFiltersOf } from './filter.ts';
import { WorkflowPanel } from './panel.tsx';
import { searchBody, useWorkflowCounts, useWorkflowIssues } from './queries.ts';
import { issueIdOf, lineIdOf } from './row.ts';
import { useWorkflowTriage } from './triage.ts';
import './workflows.css';

/** What Agentic Workflows found: the same list, of another part of the API. */
export function WorkflowsView() {
  const { id: deploymentId } = useOrg();
  const place = usePlace();
  const { view, search, sort, change } = place;
  const counts = useWorkflowCounts(view);
  const triage = useWorkflowTriage();
  const { unknown } = workflowFiltersOf(view.query);
  const { at } = search;
  return (
    <div className="findings-split">
      <Page
        title="Findings"
        isWide
        aside={<TypeSwitch type="workflow" />}
        actions={
          <>
            <ShapeMenu place={place} canGroup={false} />
            <CopyAs
              operationId="PublicIssuesService_SearchIssues"
              input={{ path: { deploymentId }, body: searchBody(view, sort) }}
            />
          </>
        }
      >
        <FilterBar view={view} onCommit={place.filter} isWordsOnly />
        {unknown.length > 0 && (
          <p className="findings-workflow-unknown" role="status">
            This list cannot be narrowed by {unknown.join(', ')}: these terms are passed over.
          </p>
        )}
        <StateTabs view={view} counts={counts.data} />
        <div className="findings-body" data-panel={at !== undefined}>
          <WorkflowList place={place} triage={triage} />
        </div>
      </Page>
      {at !== undefined && (
        <WorkflowPanel
          key={at}
          issueId={at}
          onClose={() => change({ at: undefined })}
          onDecide={(decision) => void triage([lineIdOf(at)], decision)}
        />
      )}
    </div>
  );
}

interface WorkflowListProps {
  place: Place;
  triage: Triage['triage'];
}

function WorkflowList({ place, triage }: WorkflowListProps) {
  const { view, search, sort, columns, change } = place;
  const { slug } = useOrg();
  const [list] = useState(() => new ListState());
  const grid = useRef<GridHandle>(null);
  const found = useWorkflowIssues(view, sort);
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what the lines are made of.
  const items = useMemo(() => rowItems(found), [found.lines, found.hasMore, found.error]);
  const isOpen = search.at !== undefined;
  const open = useCallback((id: string) => change({ at: issueIdOf(id) }, isOpen), [change, isOpen]);
  const hrefOf = (item: Item) => `/o/${slug}/findings?type=workflow&at=${issueIdOf(item.id)}`;
  const decisions = useDecisions({ list, rows: found.lines, at: undefined, triage });
  // biome-ignore lint/correctness/useExhaustiveDependencies: keys act on nothing of a view that is gone.
  useEffect(() => {
    list.clear();
    list.activate('');
  }, [list, view.q, sort]);
  const nothing = () => {};
  useListKeys({
    ...{ list, grid, items, canBeAll: false, onOpen: open, onOpenPage: open, onToggleGroup: nothing },
    onBack: () => (isOpen ? change({ at: undefined }) : list.clear()),
    onDecide: decisions.decide,
    isProvisional: decisions.isProvisional,
  });
  if (found.isLoading) return <LoadingRows rows={10} />;
  if (found.error !== undefined && items.length <= 1) return <ProblemView error={found.error} onRetry={found.retry} />;
  if (items.length === 0) return <NoWorkflows isUsual={view.q === DEFAULT_Q} />;
  return (
    <div className="findings-pane">
      <Grid
        {...{ list, hrefOf, handle: grid, items, columns, sort, total: found.total, isOld: found.isOld }}
        label="Workflow findings"
        isTree={false}
        onOpen={open}
        onToggleGroup={nothing}
        onFollow={nothing}
        onSort={(next) => change({ sort: next === 'newest' ? undefined : next })}
        onMore={found.more}
      />
      <SelectionBar {...{ list, total: found.total, canBeAll: false, onDecide: decisions.decide, onAll: nothing }} />
      <BulkDialog
        {...{ triage, bulk: decisions.bulk, rows: found.lines, q: view.q, snapshot: '0' }}
        onClose={decisions.cancel}
        onDone={decisions.done}
      />
    </div>
  );
}

const reportCommand = (slug: string) =>
  [
    `curl -X POST "${location.origin}/api/issues/${slug}/report"`,
    '-H "Authorization: Bearer $PARAPET_TOKEN" -H "Content-Type: application/json"',
    `-d '{"workflowId":"review","issues":[{"identity":"1","title":"A first finding"}]}'`,
  ].join(' \\\n  ');

function NoWorkflows({ isUsual }: { isUsual: boolean }) {
  const { slug } = useOrg();
  return (
    <Empty
      title={isUsual ? 'No workflow has found anything that is open' : 'Nothing matches the filter'}
      why="Agentic Workflows hand in what they find through the API; it is listed here."
      command={reportCommand(slug)}
    />
  );
}
