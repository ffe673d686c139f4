import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { products as service } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { UnsavedChangesGuard } from '#web/ui/dialog/unsaved-changes-guard.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { ifMatchHeader, isVersionConflict, readWithVersion, type Versioned } from '../parts/etag.ts';
import { FormProblem, fieldErrorsOf } from '../parts/form-problem.tsx';
import { SaveBar } from '../parts/save-bar.tsx';
import {
  changedSettings,
  effectiveEdits,
  formatValue,
  type ProductEdits,
  productConfigBody,
  type SettingValue,
  valueAt,
} from './product-edits.ts';
import { ProductField } from './product-field.tsx';
import { PRODUCT_SETTINGS, type ProductSetting, SETTING_GROUPS } from './product-settings.ts';
import { ReadOnlyProducts } from './read-only-products.tsx';
import './products.css';

type Reply = Awaited<ReturnType<typeof service.getDeploymentProductConfig>>;

/** The product configuration: many settings saved together. */
export function ProductsSection() {
  const { id: deploymentId } = useOrg();
  const config = useQuery({
    queryKey: [deploymentId, 'settings', 'products'],
    queryFn: ({ signal }) =>
      readWithVersion((options) => service.getDeploymentProductConfig({ path: { deploymentId } }, options), signal),
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <Page
      title="Products"
      actions={
        <CopyAsMenu
          operationId="DeploymentProductsService_GetDeploymentProductConfig"
          input={{ path: { deploymentId } }}
        />
      }
    >
      {config.isPending && <LoadingRows rows={12} />}
      {config.isError && <ProblemView error={config.error} onRetry={() => void config.refetch()} />}
      {config.data && <ProductEditor config={config.data} />}
    </Page>
  );
}

function useSaving({ answer, version }: Versioned<Reply>, edits: ProductEdits, onSaved: () => void) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const queryKey = [deploymentId, 'settings', 'products'];
  const [loadedBefore, setStale] = useState<Reply>();
  const body = productConfigBody(answer.products, edits);
  const saving = useMutation({
    mutationFn: () =>
      service.putDeploymentProductConfig({ path: { deploymentId }, body, headers: ifMatchHeader(version) }),
    onSuccess: async () => {
      await queryClient.refetchQueries({ queryKey });
      setStale(undefined);
      onSaved();
      notify('Products saved');
    },
    onError: async (error) => {
      if (!isVersionConflict(error)) return;
      setStale(answer);
      await queryClient.refetchQueries({ queryKey });
    },
  });
  return { saving, body, loadedBefore };
}

function ProductEditor({ config }: { config: Versioned<Reply> }) {
  const org = useOrg();
  const [edits, setEdits] = useState<ProductEdits>(new Map());
  const { saving, body, loadedBefore } = useSaving(config, edits, () => setEdits(new Map()));
  const { products } = config.answer;
  const changed = effectiveEdits(products, edits);
  const mayChange = org.may('product:manage');
  const current = (path: string) => edits.get(path) ?? valueAt(products, path);
  const errors = fieldErrorsOf(saving.error);
  const edit = (path: string, value: SettingValue) => setEdits(new Map([...edits, [path, value]]));
  const inactiveReason = ({ requires, isEffective }: ProductSetting) => {
    if (!isEffective) return 'Stored only: this server does not act on it yet.';
    const off = requires.filter((path) => current(path) !== true).map(nameOf);
    return off.length === 0 ? '' : `Has no effect while “${off.join('” and “')}” is off.`;
  };
  return (
    <div className="product-groups">
      {!mayChange && <p className="settings-note">Changing these settings requires the permission product:manage.</p>}
      {isVersionConflict(saving.error) && loadedBefore ? (
        <ConcurrentChanges before={loadedBefore} after={config.answer} />
      ) : (
        <FormProblem error={saving.error} />
      )}
      {SETTING_GROUPS.map((group) => (
        <section key={group} className="product-group" aria-label={group}>
          <h2>{group}</h2>
          {PRODUCT_SETTINGS.filter((field) => field.group === group).map((field) => (
            <ProductField
              key={field.path}
              field={field}
              value={current(field.path)}
              isEdited={changed.has(field.path)}
              isDisabled={!mayChange}
              error={errors[field.path.split('.').at(-1) ?? '']}
              inactiveReason={inactiveReason(field)}
              onChange={(value) => edit(field.path, value)}
            />
          ))}
        </section>
      ))}
      <ReadOnlyProducts products={products} />
      <details>
        <summary>Show request body</summary>
        <CodeBlock text={JSON.stringify(body, undefined, 2)} label="JSON" />
      </details>
      {changed.size > 0 && (
        <SaveBar
          changes={changed.size}
          actionLabel="Save"
          isBusy={saving.isPending}
          onDiscard={() => setEdits(new Map())}
          onSave={() => saving.mutate()}
        />
      )}
      <UnsavedChangesGuard isOn={changed.size > 0} />
    </div>
  );
}

const nameOf = (path: string) => PRODUCT_SETTINGS.find((field) => field.path === path)?.label ?? path;

/** Shows what another user changed since the page was loaded; the edits are kept and can be saved again. */
function ConcurrentChanges({ before, after }: { before: Reply; after: Reply }) {
  const moved = changedSettings(
    before.products,
    after.products,
    PRODUCT_SETTINGS.map(({ path }) => path),
  );
  return (
    <section className="settings-note" data-kind="warn" role="alert">
      <strong>Someone else changed the products in the meantime.</strong> Your changes were not saved. They changed:
      <ul>
        {moved.map(({ path, before: old, after: now }) => (
          <li key={path}>
            {nameOf(path)}: {formatValue(old)} → {formatValue(now)}
          </li>
        ))}
      </ul>
      Review your changes below and save again.
    </section>
  );
}
