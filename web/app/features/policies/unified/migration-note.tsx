import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { unifiedPolicies } from '#web/foundation/api/services.ts';
import { formatNumber } from '#web/foundation/format/format-number.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import './unified.css';

type MigrationPreview = Awaited<ReturnType<typeof unifiedPolicies.previewMigration>>;

/** Offers to move the ruleboards to Unified Policies, with a preview. */
export function MigrationNote() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="policy-note">
      <p>
        Unified Policies separate which rules run from what happens then, and can be kept in a repository. The rules of
        each project and their modes stay the same.
      </p>
      <PermissionGate permission="policy:manage">
        {(isDisabled) => (
          <Button variant="default" disabled={isDisabled} onClick={() => setIsOpen(true)}>
            Preview the migration
          </Button>
        )}
      </PermissionGate>
      {isOpen && <MigrationDialog onClose={() => setIsOpen(false)} />}
    </div>
  );
}

function MigrationDialog({ onClose }: { onClose: () => void }) {
  const org = useOrg();
  const queryClient = useQueryClient();
  const path = { deploymentId: org.id };
  const { data, error, refetch } = useQuery({
    queryKey: [org.id, 'migration-preview'],
    queryFn: ({ signal }) => unifiedPolicies.previewMigration({ path }, { signal }),
    gcTime: 0,
    retry: false,
  });
  const migrate = async () => {
    if (!data) throw new Error('The preview has not been loaded.');
    await unifiedPolicies.migrateDeployment({ path });
    notify('The ruleboards are policies now.');
    await queryClient.invalidateQueries({ queryKey: [org.id] });
  };
  return (
    <ConfirmDialog title="Move to Unified Policies?" actionLabel="Migrate" onConfirm={migrate} onClose={onClose}>
      {!data && error && <ProblemView error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows rows={4} />}
      {data && <PreviewText preview={data} />}
    </ConfirmDialog>
  );
}

const ACTIONS: Record<string, string> = { pr_comment: 'comment', block: 'block' };
const CONDITIONS: Record<string, string> = { product: 'type', repository: 'project' };

const counted = (count: number, word: string) => `${formatNumber(count)} ${word}${count === 1 ? '' : 's'}`;

function PreviewText({ preview }: { preview: MigrationPreview }) {
  const { detectionPolicies, remediationPolicies, comparedGroups } = preview;
  return (
    <div className="policy-plan">
      <p>
        <strong>This cannot be undone.</strong> The ruleboards stay readable, but no longer decide what scans run.
      </p>
      <h3>Detection policies</h3>
      <ul>
        {detectionPolicies.map(({ product, rulesets, rules, disabled, exceptions }) => (
          <li key={product}>
            {product}: {counted(rulesets.length, 'ruleset')}, {counted(rules.length, 'rule')},{' '}
            {counted(disabled.length, 'disabled rule')}, {counted(exceptions.length, 'exception')}
          </li>
        ))}
      </ul>
      <h3>Remediation policies</h3>
      {remediationPolicies.length === 0 && <p>None: no rule comments or blocks.</p>}
      <ul>
        {remediationPolicies.map(({ slug, name, actions, filters }) => (
          <li key={slug}>
            {name}: {actions.map(({ type }) => ACTIONS[type] ?? type).join(' and ')} for{' '}
            {filters.conditions
              .map(
                ({ type, values, mode }) =>
                  `${mode === 'none' ? 'all but ' : ''}${counted(values.length, CONDITIONS[type] ?? type)}`,
              )
              .join(', ')}
          </li>
        ))}
      </ul>
      <p className="policy-proof">
        Compared for {counted(Number(comparedGroups), 'group')} of projects with the same ruleboards: the rules that run
        and their modes are the same before and after.
      </p>
    </div>
  );
}
