import { useCallback, useState } from 'react';
import { FindingPanel } from '#web/finding/finding-panel.tsx';
import { useOrg } from '#web/org/org.ts';
import { CopyAs } from '#web/parts/copy-as.tsx';
import { numberText } from '#web/parts/number-text.ts';
import { Page } from '#web/parts/page.tsx';
import { FilterBar } from '#web/query/filter-bar.tsx';
import { ExportMenu } from './export-menu.tsx';
import { FacetSheet, Facets } from './facets.tsx';
import './findings.css';
import { isWorkflowLine } from './kinds.ts';
import { ListPane } from './list-pane.tsx';
import { type Place, usePlace } from './place.ts';
import { SORTED, useStateCounts } from './queries.ts';
import { StateTabs } from './state-tabs.tsx';
import { ColumnMenu, ShapeMenu } from './toolbar.tsx';
import { useTotal } from './use-lines.ts';
import { WorkflowPanel } from './workflows/panel.tsx';

/** The list of findings: filter, numbers, lines, and the finding beside them; the address holds all of it. */
export function FindingsView() {
  const place = usePlace();
  const { view, search, change, filter } = place;
  const counts = useStateCounts(view);
  const Panel = isWorkflowLine(search.at ?? '') ? WorkflowPanel : FindingPanel;
  const [isQuiet, setIsQuiet] = useState(search.at !== undefined);
  const close = useCallback(() => {
    setIsQuiet(false);
    change({ at: undefined });
  }, [change]);
  return (
    <div className="findings-split">
      <Page title="Findings" isWide aside={<Aside place={place} />} actions={<Actions place={place} />}>
        <FilterBar view={view} onCommit={filter} />
        <StateTabs view={view} counts={counts.data} />
        <div className="findings-body" data-panel={search.at !== undefined}>
          <aside className="findings-facets no-print" aria-label="Narrow the list">
            <Facets view={view} filter={filter} />
          </aside>
          <ListPane place={place} />
        </div>
      </Page>
      {search.at !== undefined && (
        <Panel issueId={search.at} onClose={close} q={view.q} sort={search.sort} isQuiet={isQuiet} />
      )}
    </div>
  );
}

function Aside({ place: { view } }: { place: Place }) {
  const total = useTotal(view);
  return (
    <span className="findings-total" role="status" title={`Findings with ${view.q}`}>
      {total === undefined ? '…' : numberText(total)}
    </span>
  );
}

function Actions({ place }: { place: Place }) {
  const { id: deploymentId } = useOrg();
  const { view, search, sort, columns } = place;
  return (
    <>
      <FacetSheet view={view} filter={place.filter} />
      <ShapeMenu place={place} />
      {search.group === undefined && search.at === undefined && <ColumnMenu columns={columns} change={place.change} />}
      <ExportMenu view={view} sort={sort} columns={columns} />
      <CopyAs
        operationId="IssuesService_ListAllIssues"
        input={{ path: { deploymentId }, body: { q: view.q, ...SORTED[sort], limit: 50 } }}
      />
    </>
  );
}
