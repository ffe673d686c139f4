import { useQuery } from '@tanstack/react-query';
import { products as service } from '#web/foundation/api/services.ts';
import { TRIAGE_PERMISSION_LABELS } from '#web/foundation/format/labels.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { formatValue, valueAt } from './product-edits.ts';
import { READ_ONLY_SETTINGS } from './product-settings.ts';

const PRODUCTS = [
  ['sast', 'Code scans'],
  ['sca', 'Dependency scans'],
  ['secrets', 'Secret scans'],
] as const;

/** Derived settings, and settings of the server operator. */
export function ReadOnlyProducts({ products }: { products: object }) {
  const { id: deploymentId } = useOrg();
  const operator = useQuery({
    queryKey: [deploymentId, 'settings', 'products-admin'],
    queryFn: ({ signal }) => service.getDeploymentAdminProductConfig({ path: { deploymentId } }, { signal }),
  });
  return (
    <section className="product-group" aria-label="Read only">
      <h2>Read only</h2>
      <dl>
        {READ_ONLY_SETTINGS.map(({ path, label }) => {
          const value = valueAt(products, path);
          return (
            <Fact key={path} path={path} label={label}>
              {TRIAGE_PERMISSION_LABELS[String(value)] ?? formatValue(value)}
            </Fact>
          );
        })}
        {operator.data &&
          PRODUCTS.map(([name, label]) => {
            const until = operator.data.products[name].scans_suspended_until;
            return (
              <Fact key={name} path={`admin ${name}.scans_suspended_until`} label={label}>
                {until === 0 ? 'not suspended' : <RelativeTime at={new Date(until * 1000).toISOString()} />}
              </Fact>
            );
          })}
      </dl>
    </section>
  );
}

function Fact({ path, label, children }: { path: string; label: string; children: React.ReactNode }) {
  return (
    <>
      <dt>
        {label} <code className="dimmed">{path}</code>
      </dt>
      <dd>{children}</dd>
    </>
  );
}
