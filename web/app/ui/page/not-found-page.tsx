import { Link } from '@tanstack/react-router';
import { Page } from './page.tsx';
import { EmptyState } from './view-states.tsx';

interface NotFoundPageProps {
  title?: string;
  why?: string;
}

/** An address that leads nowhere: what that may mean, and the way on. */
export function NotFoundPage({
  title = 'There is no such page',
  why = 'Check the address, or press Ctrl K to find what you look for.',
}: NotFoundPageProps) {
  return (
    <Page title="Not found">
      <EmptyState title={title} why={why} action={<Link to="/">Go to your inbox</Link>} />
    </Page>
  );
}
