import { uniqueKey } from '#web/foundation/react/unique-key.ts';
import type { StoredTracker } from '#web/ui/automations/automation-queries.ts';
import type { TrackerKind } from './tracker-kinds.ts';

export type BuiltInStates = StoredTracker['automationStates'];
type FieldMapping = StoredTracker['fields'];
type FieldSource = NonNullable<NonNullable<FieldMapping['all']>[string]['from']>;
export type MappedProduct = keyof FieldMapping;

/** One field of new tickets. `from` is what it shows of the findings; empty for a fixed text. */
export interface MappedFieldRow {
  key: string;
  product: MappedProduct;
  field: string;
  from: FieldSource | '';
  value: string;
}

export interface TrackerDraft {
  instanceType: TrackerKind;
  name: string;
  siteUrl: string;
  account: string;
  projectId: string;
  issueTypeId: string;
  fixedTransitionId: string;
  fields: MappedFieldRow[];
  automationStates: BuiltInStates;
}

export const emptyTracker = (): TrackerDraft => ({
  ...{ instanceType: 'jira', name: '', siteUrl: '', account: '', projectId: '', issueTypeId: '' },
  ...{ fixedTransitionId: '', fields: [] },
  automationStates: { sast: false, sca: false, secrets: false, scaMaliciousDeps: false, aiSast: false },
});

const rowsOf = (fields: FieldMapping): MappedFieldRow[] =>
  Object.entries(fields).flatMap(([product, mapped]) =>
    Object.entries(mapped ?? {}).map(([field, { from, value }]) => ({
      key: uniqueKey(),
      product: product as MappedProduct,
      field,
      from: from ?? '',
      value: value ?? '',
    })),
  );

export const trackerDraftOf = (stored: StoredTracker): TrackerDraft => ({
  instanceType: stored.instanceType,
  name: stored.name,
  siteUrl: stored.siteUrl,
  account: stored.account,
  projectId: stored.projectId,
  issueTypeId: stored.issueTypeId,
  fixedTransitionId: stored.fixedTransitionState.jiraTransitionId,
  fields: rowsOf(stored.fields),
  automationStates: stored.automationStates,
});

function mappingOf(rows: readonly MappedFieldRow[]): FieldMapping {
  const mapping: FieldMapping = {};
  for (const { product, field, from, value } of rows) {
    if (field.trim() === '') continue;
    mapping[product] = { ...mapping[product], [field.trim()]: from === '' ? { value } : { from } };
  }
  return mapping;
}

/** The request of a draft, without the token. */
export const trackerBody = ({ fields, account, issueTypeId, fixedTransitionId, ...draft }: TrackerDraft) => {
  const isJira = draft.instanceType === 'jira' || draft.instanceType === 'jira_server';
  return {
    ...draft,
    name: draft.name.trim(),
    siteUrl: draft.siteUrl.trim(),
    projectId: draft.projectId.trim(),
    fields: mappingOf(fields),
    account: draft.instanceType === 'jira' ? account.trim() : '',
    issueTypeId: isJira ? issueTypeId.trim() : '',
    fixedTransitionId: isJira ? fixedTransitionId.trim() : '',
  };
};
