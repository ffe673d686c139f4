import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  listSavedViews: (of) => ({ path: { deployment: of('Deployment') }, query: { limit: '100', cursor: '' } }),
  createSavedView: (of) => ({
    path: { deployment: of('Deployment') },
    body: { name: 'Severe and mine', search: 'q=assignee:me+severity:critical,high', isPinned: true },
  }),
  updateSavedView: (of) => ({
    path: { deployment: of('Deployment'), viewId: of('SavedView') },
    body: { name: 'Critical and mine', search: 'q=assignee:me+severity:critical' },
  }),
  pinSavedView: (of) => ({
    path: { deployment: of('Deployment'), viewId: of('SavedView') },
    body: { isPinned: true },
  }),
  deleteSavedView: (of) => ({ path: { deployment: of('Deployment'), viewId: of('SavedView') } }),
};
