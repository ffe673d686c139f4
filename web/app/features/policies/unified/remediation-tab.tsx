import { Button } from '@mantine/core';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { automationRuns, unifiedPolicies } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import {
  activityQuery,
  automationsQuery,
  type ModeOfAutomation,
  type StoredAutomation,
} from '#web/ui/automations/automation-queries.ts';
import { type AutomationNames, describeAutomation } from '#web/ui/automations/describe-automation.ts';
import { MatchingFindings } from '#web/ui/automations/matching-findings.tsx';
import { ModeControl } from '#web/ui/automations/mode-control.tsx';
import { useAutomationNames } from '#web/ui/automations/use-automation-names.ts';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { EmptyState, LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { PoliciesAsCode } from './policies-as-code.tsx';
import './unified.css';

export const remediationQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'automations', 'remediation'],
    queryFn: ({ signal }) => unifiedPolicies.getRemediationPolicies({ path: { deploymentId } }, { signal }),
    refetchOnWindowFocus: false,
  });

const MODES: Record<ModeOfAutomation, string> = { simulate: 'Observe', live: 'Enforce', paused: 'Off' };

/** What happens to findings after scans. Each policy is an automation. */
export function RemediationTab() {
  const org = useOrg();
  const policies = useQuery(remediationQuery(org.id));
  const automations = useQuery(automationsQuery(org.id)).data;
  const activities = useQuery(activityQuery(org.id)).data?.activities;
  const names = useAutomationNames(automations ?? []);
  if (policies.error) return <ProblemView error={policies.error} onRetry={() => void policies.refetch()} />;
  if (!policies.data || !automations || !activities) return <LoadingRows rows={4} height={72} />;
  const { bundle, state_version: version } = policies.data;
  return (
    <>
      <p className="dimmed">
        A policy that observes records what it would do; only policies that enforce block scans. Policies are{' '}
        <Link to="/o/$slug/automations" params={{ slug: org.slug }}>
          automations
        </Link>{' '}
        that run after scans.
      </p>
      {bundle.policies.length === 0 && (
        <EmptyState title="No remediation policies" why="Make an automation, or apply policies as code below." />
      )}
      <ul className="policy-list">
        {bundle.policies.map(({ slug, name }) => {
          const activity = activities.find((one) => one.slug === slug);
          const automation = automations.find(({ id }) => id === activity?.automationId);
          if (!activity || !automation) return <li key={slug}>{name}</li>;
          return <PolicyRow key={slug} automation={automation} mode={activity.mode} names={names} />;
        })}
      </ul>
      <PoliciesAsCode key={version} bundle={bundle} version={version} />
    </>
  );
}

interface PolicyRowProps {
  automation: StoredAutomation;
  mode: ModeOfAutomation;
  names: AutomationNames;
}

function PolicyRow({ automation, mode, names }: PolicyRowProps) {
  const org = useOrg();
  const path = { deploymentId: org.id, automationId: automation.id };
  const preview = useMutation({ mutationFn: () => automationRuns.previewAutomationRun({ path }) });
  return (
    <li className="policy-row">
      <div>
        <h2>
          <Link to="/o/$slug/automations/$automationId" params={{ slug: org.slug, automationId: automation.id }}>
            {automation.name}
          </Link>
        </h2>
        <p>{describeAutomation(automation, names)}</p>
        <p role="status">{preview.data && <MatchingFindings preview={preview.data} />}</p>
        {preview.error && <ProblemView error={preview.error} />}
      </div>
      <div className="policy-controls">
        <ModeControl automation={automation} mode={mode} labels={MODES} />
        <PermissionGate permission="delivery:read">
          {(isDisabled) => (
            <Button
              variant="default"
              size="xs"
              disabled={isDisabled}
              loading={preview.isPending}
              aria-label={`Preview ${automation.name}`}
              onClick={() => preview.mutate()}
            >
              Preview
            </Button>
          )}
        </PermissionGate>
      </div>
    </li>
  );
}
