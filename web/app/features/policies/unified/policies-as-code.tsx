import { Button, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { unifiedPolicies } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { ProblemView } from '#web/ui/page/view-states.tsx';
import { PolicyPlan } from './policy-plan.tsx';

type Bundle = Awaited<ReturnType<typeof unifiedPolicies.getRemediationPolicies>>['bundle'];

const textOf = ({ policies }: Bundle): string => JSON.stringify({ policies }, undefined, 2);

function read(text: string): { bundle?: object; problem?: string } {
  try {
    const bundle: unknown = JSON.parse(text);
    return typeof bundle === 'object' && bundle !== null ? { bundle } : { problem: 'Expected an object.' };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'Not JSON.' };
  }
}

/** The remediation policies as one document: edit or paste it, see what it would change, and apply it. */
export function PoliciesAsCode({ bundle, version }: { bundle: Bundle; version: string }) {
  const org = useOrg();
  const queryClient = useQueryClient();
  const path = { deploymentId: org.id };
  const [text, setText] = useState(textOf(bundle));
  const { bundle: draft, problem } = read(text);
  const input = { path, body: { bundle: draft ?? {} } };
  const planning = useMutation({
    mutationFn: () => unifiedPolicies.dryRunRemediationPolicies(input as never),
  });
  const applying = useMutation({
    mutationFn: () =>
      unifiedPolicies.applyRemediationPolicies({
        ...input,
        headers: { 'if-match': planning.data?.state_version ?? version },
      } as never),
    onSuccess: async () => {
      notify('Remediation policies saved.');
      await queryClient.invalidateQueries({ queryKey: [org.id, 'automations'] });
    },
  });
  const close = () => {
    planning.reset();
    applying.reset();
  };
  return (
    <details className="policy-code">
      <summary>As code (version {version})</summary>
      <Textarea
        aria-label="Remediation policies as JSON"
        autosize
        minRows={6}
        maxRows={24}
        spellCheck={false}
        classNames={{ input: 'mono' }}
        readOnly={!org.may('automation:manage')}
        value={text}
        error={problem}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className="policy-buttons">
        <CopyAsMenu operationId="PoliciesV2Service_GetRemediationPolicies" input={{ path }} />
        <PermissionGate permission="automation:manage">
          {(isDisabled) => (
            <Button
              disabled={isDisabled || draft === undefined}
              loading={planning.isPending}
              onClick={() => planning.mutate()}
            >
              Review changes
            </Button>
          )}
        </PermissionGate>
      </div>
      {planning.error && <ProblemView error={planning.error} />}
      {planning.data && (
        <PolicyPlan
          title="Changes to the remediation policies"
          plan={planning.data}
          isBusy={applying.isPending}
          error={applying.error}
          onApply={() => applying.mutate()}
          onClose={close}
        />
      )}
    </details>
  );
}
