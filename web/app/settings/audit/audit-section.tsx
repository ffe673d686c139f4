import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Download, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { audit } from '#web/api/services.ts';
import { useKeys } from '#web/keys/use-keys.ts';
import { useOrg } from '#web/org/org.ts';
import { CopyAs } from '#web/parts/copy-as.tsx';
import { LoadMore } from '#web/parts/load-more.tsx';
import { numberText } from '#web/parts/number-text.ts';
import { Page } from '#web/parts/page.tsx';
import { saveText } from '#web/parts/save-text.ts';
import { Empty, LoadingRows, ProblemView } from '#web/parts/states.tsx';
import { When } from '#web/parts/when.tsx';
import { say, sayProblem } from '#web/shell/say.ts';
import { useSettingsSearch } from '../parts/use-settings-search.ts';
import './audit.css';
import { allRecords, auditQuery } from './audit-data.ts';
import { AuditFilterForm } from './audit-filter.tsx';
import { AuditTable } from './audit-table.tsx';
import { type AuditFilter, FILTER_NAMES, ndjsonOf, queryOf } from './filter.ts';

/** Who did what, when and from where, with proof that the record of it was not changed. */
export function AuditSection() {
  const { id: deploymentId } = useOrg();
  const { search } = useSettingsSearch();
  const filter: AuditFilter = Object.fromEntries(FILTER_NAMES.map((name) => [name, search[name]]));
  return (
    <Page
      title="Audit log"
      actions={
        <>
          <CopyAs
            operationId="AuditService_ListAuditRecords"
            input={{ path: { deploymentId }, query: { ...queryOf(filter) } }}
          />
          <Export filter={filter} />
        </>
      }
    >
      <Verification />
      <AuditFilterForm key={JSON.stringify(filter)} filter={filter} />
      <Records filter={filter} />
    </Page>
  );
}

function Records({ filter }: { filter: AuditFilter }) {
  const { id: deploymentId } = useOrg();
  const list = useInfiniteQuery(auditQuery(deploymentId, filter));
  const problem = list.error && <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return problem ?? <LoadingRows />;
  const records = list.data.pages.flatMap((page) => page.records);
  if (records.length === 0) return <Empty title="No record matches" why="Widen the filter, or clear it." />;
  return (
    <div aria-busy={list.isPlaceholderData}>
      <AuditTable records={records} />
      {problem}
      <LoadMore {...list} />
    </div>
  );
}

function Export({ filter }: { filter: AuditFilter }) {
  const { id: deploymentId, slug } = useOrg();
  const [count, setCount] = useState(0);
  const exporting = useMutation({
    mutationFn: () => allRecords(deploymentId, filter, setCount),
    onSuccess: ({ records, isCut }) => {
      const today = new Date().toISOString().slice(0, 10);
      saveText(`audit-${slug}-${today}.ndjson`, 'application/x-ndjson', ndjsonOf(records));
      const all = `${numberText(records.length)} records exported`;
      say(isCut ? `Only the newest ${all}: narrow the filter to get the older ones.` : all);
    },
    onError: sayProblem,
  });
  const start = () => {
    if (exporting.isPending) return;
    setCount(0);
    exporting.mutate();
  };
  useKeys({ export: start });
  return (
    <Button variant="default" leftSection={<Download size={16} />} disabled={exporting.isPending} onClick={start}>
      {exporting.isPending ? `${numberText(count)} records…` : 'Export NDJSON'}
    </Button>
  );
}

function Verification() {
  const { id: deploymentId } = useOrg();
  const verifying = useMutation({ mutationFn: () => audit.verifyAuditTrail({ path: { deploymentId } }) });
  const result = verifying.data;
  return (
    <div className="settings-note" data-kind={result && (result.verified ? 'good' : 'bad')}>
      <div className="settings-row">
        <Button
          size="xs"
          variant="default"
          leftSection={<ShieldCheck size={16} />}
          loading={verifying.isPending}
          onClick={() => verifying.mutate()}
        >
          Verify the chain
        </Button>
        <span role="status">
          {!result && 'Records are chained: a change, a removal or an addition afterwards shows.'}
          {result?.verified && (
            <>
              All of the newest {result.records} records are as they were written, checked{' '}
              <When at={result.checkedAt} />.
            </>
          )}
          {result && !result.verified && (
            <strong>
              The chain is broken at {result.firstBroken}: {result.problem}. Tell the operator of the server.
            </strong>
          )}
        </span>
      </div>
      {verifying.isError && <ProblemView error={verifying.error} />}
    </div>
  );
}
