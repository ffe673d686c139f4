import { getRouteApi } from '@tanstack/react-router';
import { FindingsView } from './findings-view.tsx';
import { WorkflowsView } from './workflows/workflows-view.tsx';

const route = getRouteApi('/o/$slug/findings');

/** Findings of scanners, or of Agentic Workflows. */
export function FindingsPage() {
  const { type } = route.useSearch();
  return type === 'workflow' ? <WorkflowsView /> : <FindingsView />;
}
