import { useEffect } from 'react';
import { notify } from '#web/foundation/notify/notify.ts';
import { type Org, OrgContext } from '#web/foundation/session/org.ts';
import { takeIgnoredParams } from '#web/foundation/url/search-params.ts';
import { Shell } from '#web/shell/shell.tsx';
import { NotFoundPage } from '#web/ui/page/not-found-page.tsx';

/** The pages of one organization; one that the person does not belong to does not exist for them. */
export function OrgFrame({ org }: { org: Org | undefined }) {
  useEffect(() => {
    const names = takeIgnoredParams();
    if (names.length > 0)
      notify(`The address had parts that mean nothing here and were left out: ${names.join(', ')}.`);
  });
  if (!org)
    return (
      <NotFoundPage
        title="There is no such organization"
        why="Perhaps it has another name now, or you do not belong to it."
      />
    );
  return (
    <OrgContext value={org}>
      <Shell key={org.id} />
    </OrgContext>
  );
}
