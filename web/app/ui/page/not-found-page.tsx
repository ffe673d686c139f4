import { Link } from '@tanstack/react-router';
import { Page } from './page.tsx';
import { EmptyState } from './view-states.tsx';

interface NotFoundPageProps {
  title?: string;
  why?: string;
}

/** The page for an unknown URL. */
export function NotFoundPage({
  title = 'This page does not exist',
  why = 'Check the address, or press Ctrl K to search.',
}: NotFoundPageProps) {
  return (
    <Page title="Not found">
      <EmptyState title={title} why={why} action={<Link to="/">Go to your inbox</Link>} />
    </Page>
  );
}
