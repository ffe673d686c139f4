import { Button, Textarea } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { unifiedPolicies } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { UnsavedChangesGuard } from '#web/ui/dialog/unsaved-changes-guard.tsx';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { EmptyState, LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { bundleOf, type DetectionBundle, type DetectionTexts, textsOf } from './bundle-text.ts';
import { PolicyPlan } from './policy-plan.tsx';

const PRODUCTS = { code: 'Code', secrets: 'Secrets' } as const;
type Product = keyof typeof PRODUCTS;

const detectionQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'policies-v2', 'detection'],
    queryFn: ({ signal }) => unifiedPolicies.getDetectionPolicySummary({ path: { deploymentId } }, { signal }),
    refetchOnWindowFocus: false,
  });

/** Which rules run where, for each product. */
export function DetectionTab() {
  const org = useOrg();
  const { data, error, refetch } = useQuery(detectionQuery(org.id));
  if (!data) return error ? <ProblemView error={error} onRetry={() => void refetch()} /> : <LoadingRows rows={6} />;
  const enabled = (Object.keys(PRODUCTS) as Product[]).filter((product) => data[product] !== undefined);
  if (enabled.length === 0)
    return <EmptyState title="No product is enabled" why="Enable code or secrets in Settings → Products." />;
  return enabled.map((product) => {
    const policy = data[product];
    return (
      policy && (
        <DetectionEditor
          key={`${product} ${policy.state_version}`}
          product={product}
          bundle={policy.bundle}
          version={policy.state_version}
        />
      )
    );
  });
}

interface DetectionEditorProps {
  product: Product;
  bundle: DetectionBundle;
  version: string;
}

const FIELDS: readonly [keyof DetectionTexts, string, string][] = [
  ['rulesets', 'Rulesets', 'One per line, such as p/default.'],
  ['rules', 'Rules', 'Run besides those of the rulesets, one per line.'],
  ['disabled', 'Disabled rules', 'Of the rulesets, one per line.'],
  [
    'exceptions',
    'Exceptions',
    'One per line: “exclude rule acme.log project acme/web” or “include pack p/secrets tag pci”. A project wins ' +
      'over a tag, a rule over a pack, and exclude over include.',
  ],
];

function DetectionEditor({ product, bundle, version }: DetectionEditorProps) {
  const org = useOrg();
  const queryClient = useQueryClient();
  const stored = textsOf(bundle);
  const [texts, setTexts] = useState(stored);
  const read = bundleOf(texts);
  const isChanged = FIELDS.some(([name]) => texts[name] !== stored[name]);
  const path = { deploymentId: org.id, product };
  const planning = useMutation({
    mutationFn: () => unifiedPolicies.dryRunDetectionPolicy({ path, body: { bundle: read.bundle ?? {} } }),
  });
  const applying = useMutation({
    mutationFn: () =>
      unifiedPolicies.applyDetectionPolicy({
        path,
        body: { bundle: read.bundle ?? {} },
        headers: { 'if-match': planning.data?.state_version ?? version },
      } as never),
    onSuccess: async () => {
      notify(`Detection policy for ${PRODUCTS[product].toLowerCase()} saved.`);
      await queryClient.invalidateQueries(detectionQuery(org.id));
    },
  });
  const close = () => {
    planning.reset();
    applying.reset();
  };
  return (
    <section className="policy-editor" aria-label={PRODUCTS[product]}>
      <h2>{PRODUCTS[product]}</h2>
      {FIELDS.filter(([name]) => product === 'code' || name !== 'rulesets').map(([name, label, description]) => (
        <Textarea
          key={name}
          label={label}
          description={description}
          autosize
          minRows={2}
          maxRows={12}
          spellCheck={false}
          classNames={{ input: 'mono' }}
          readOnly={!org.may('policy:manage')}
          value={texts[name]}
          error={name === 'exceptions' && read.wrongLine !== undefined && `Cannot be read: ${read.wrongLine}`}
          onChange={(event) => setTexts({ ...texts, [name]: event.currentTarget.value })}
        />
      ))}
      <PermissionGate permission="policy:manage">
        {(isDisabled) => (
          <Button
            disabled={isDisabled || !isChanged || read.bundle === undefined}
            loading={planning.isPending}
            onClick={() => planning.mutate()}
          >
            Review changes
          </Button>
        )}
      </PermissionGate>
      {planning.error && <ProblemView error={planning.error} />}
      {planning.data && (
        <PolicyPlan
          title={`Changes to the detection policy for ${PRODUCTS[product].toLowerCase()}`}
          plan={planning.data}
          isBusy={applying.isPending}
          error={applying.error}
          onApply={() => applying.mutate()}
          onClose={close}
        />
      )}
      <UnsavedChangesGuard isOn={isChanged && !applying.isSuccess} />
    </section>
  );
}
