import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { notify } from '#web/foundation/notify/notify.ts';
import { type Org, OrgContext } from '#web/foundation/session/org.ts';
import { searchWithout, takeIgnoredParams } from '#web/foundation/url/search-params.ts';
import { Shell } from '#web/shell/shell.tsx';
import { NotFoundPage } from '#web/ui/page/not-found-page.tsx';

/** The pages of an organization; an organization that the user is not a member of is reported as not found. */
export function OrgFrame({ org }: { org: Org | undefined }) {
  // Renders again for every address.
  useLocation({ select: ({ href }) => href });
  useEffect(() => {
    const names = takeIgnoredParams();
    if (names.length === 0) return;
    notify(`Ignored unknown or invalid parameters in the URL: ${names.join(', ')}.`);
    const { pathname, search, hash } = window.location;
    window.history.replaceState(window.history.state, '', pathname + searchWithout(search, names) + hash);
    // The parameters are ignored again until the router has read the new address.
    takeIgnoredParams();
  });
  if (!org)
    return (
      <NotFoundPage title="This organization does not exist" why="It may have been renamed, or you are not a member." />
    );
  return (
    <OrgContext value={org}>
      <Shell key={org.id} />
    </OrgContext>
  );
}
