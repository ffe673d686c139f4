import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useOrg } from '#web/foundation/session/org.ts';
import { bucketLabel } from '#web/ui/charts/data/time-buckets.ts';
import { EmptyState, LoadingRows } from '#web/ui/page/view-states.tsx';
import { ALL_TIME, DEFAULT_GUARDRAILS_SINCE } from './guardrails.ts';
import { oldestActivityQuery } from './guardrails-query.ts';
import type { GuardrailsSearch } from './search.ts';

const HOW_IT_STARTS =
  'Activity starts with the first scan of a pull request that matches a rule in the Comment or Block column of its ' +
  'ruleboard.';

/** An empty report: says when the oldest activity was, or how activity starts. */
export function NoActivity({ search, now }: { search: GuardrailsSearch; now: Date }) {
  const org = useOrg();
  const oldest = useQuery(oldestActivityQuery(org.id, now));
  const { since, until, bucket, view, ...filters } = search;
  if (oldest.isPending) return <LoadingRows rows={3} />;
  if (oldest.data === undefined)
    return (
      <EmptyState
        title="No guardrail activity yet"
        why={HOW_IT_STARTS}
        action={
          <Link to="/o/$slug/policies" params={{ slug: org.slug }}>
            Choose which rules comment or block
          </Link>
        }
        command={`SEMGREP_URL=${location.origin} SEMGREP_APP_TOKEN=$PARAPET_TOKEN semgrep ci`}
      />
    );
  const isFiltered = Object.values(filters).some((text) => text !== undefined);
  const range = `since ${since ?? DEFAULT_GUARDRAILS_SINCE}${until === undefined ? '' : ` until ${until}`}`;
  const sentence = `${isFiltered ? 'With these filters no' : 'No'} finding appeared on a pull request ${range}`;
  return (
    <EmptyState
      title="Nothing in this range"
      why={`${sentence}. Oldest data: ${bucketLabel(new Date(oldest.data), 'month')}.`}
      action={
        <Link to="/o/$slug/reports/guardrails" params={{ slug: org.slug }} search={{ ...filters, since: ALL_TIME }}>
          Show all time
        </Link>
      }
    />
  );
}
