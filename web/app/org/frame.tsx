import { useEffect } from 'react';
import { NotFoundPage } from '#web/parts/not-found-page.tsx';
import { say } from '#web/shell/say.ts';
import { Shell } from '#web/shell/shell.tsx';
import { takeDropped } from '#web/url/search.ts';
import { type Org, OrgContext } from './org.ts';

/** The pages of one organization; one that the person does not belong to does not exist for them. */
export function OrgFrame({ org }: { org: Org | undefined }) {
  useEffect(() => {
    const names = takeDropped();
    if (names.length > 0) say(`The address had parts that mean nothing here and were left out: ${names.join(', ')}.`);
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
