import { z } from 'zod';
import { NOT_FOUND, VALIDATION_FAILED } from '#kernel/contract/common-faults.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { cursor, deployment, id, limit, name } from '#kernel/contract/proto-fields.ts';

export const MAX_SAVED_VIEWS = 100;
const MAX_SEARCH_LENGTH = 4000;
const MAX_VIEWS_PER_PAGE = 200;

export const VIEW_QUOTA = fault(
  'VIEW_QUOTA',
  409,
  'A person can have at most {most} saved views.',
  'Delete views that are no longer needed.',
);

const base = '/api/v1/deployments/{deployment}/saved_views';
const path = { deployment: deployment() };
const viewPath = { ...path, viewId: id('SavedView') };
const facts = { maturity: 'experimental', isExtension: true, credential: 'user' } as const;

export const SavedView = z.object({
  id: id('SavedView'),
  name: z.string(),
  /** The query of the address in the console, such as `q=is:open&sort=severity`. */
  search: z.string(),
  owner: z.string(),
  isOwn: z.boolean(),
  isPinned: z.boolean(),
  teamId: id('Team').optional(),
  teamName: z.string().optional(),
});

const fields = {
  name: name(),
  search: z.string().max(MAX_SEARCH_LENGTH),
};

export const listSavedViews = operation({
  ...facts,
  route: `GET ${base}`,
  summary: 'List saved views',
  description: 'Your own, and those that others share with a team of yours.',
  allow: 'issue:read',
  path,
  query: { limit: limit(MAX_VIEWS_PER_PAGE, 100), cursor: cursor() },
  reply: { views: z.array(SavedView), cursor: cursor() },
});

export const createSavedView = operation({
  ...facts,
  route: `POST ${base}`,
  summary: 'Save a view',
  description: 'With `teamId`, members of that team and of the teams below it see the view too.',
  allow: 'notification:update',
  path,
  body: { ...fields, teamId: id('Team').optional(), isPinned: z.boolean().optional() },
  reply: { view: SavedView },
  faults: [VIEW_QUOTA, VALIDATION_FAILED],
});

export const updateSavedView = operation({
  ...facts,
  route: `PATCH ${base}/{viewId}`,
  summary: 'Change a view of your own',
  description: 'Members that are absent do not change; `isShared: false` ends sharing.',
  allow: 'notification:update',
  path: viewPath,
  body: {
    name: fields.name.optional(),
    search: fields.search.optional(),
    teamId: id('Team').optional(),
    isShared: z.boolean().optional(),
  },
  reply: { view: SavedView },
  faults: [NOT_FOUND, VALIDATION_FAILED],
});

export const pinSavedView = operation({
  ...facts,
  route: `PUT ${base}/{viewId}/pin`,
  summary: 'Pin a view to your navigation',
  description: 'Only for you; a view that you can see need not be your own.',
  allow: 'notification:update',
  path: viewPath,
  body: { isPinned: z.boolean() },
  reply: { view: SavedView },
  faults: [NOT_FOUND],
});

export const deleteSavedView = operation({
  ...facts,
  route: `DELETE ${base}/{viewId}`,
  summary: 'Delete a view of your own',
  allow: 'notification:update',
  path: viewPath,
  reply: {},
  faults: [NOT_FOUND],
});

/** What the examples of the API description show. */
export const exampleIds = { SavedView: '8' };
