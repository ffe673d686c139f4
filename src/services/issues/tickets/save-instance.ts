import type { DestinationRef } from '#domain/automations/deliveries/destination-store.ts';
import { fieldKindsOf, validateMapping } from '#domain/ticketing/ticket-fields.ts';
import type { InstanceSettings, StoredInstance } from '#domain/ticketing/ticketing-instances.ts';
import { findInstance, findToken, shownInstance } from '#domain/ticketing/ticketing-instances.ts';
import { NO_AUTOMATION } from '#domain/ticketing/ticketing-shape.ts';
import { apiBaseOf, trackerOf } from '#domain/ticketing/trackers/all-trackers.ts';
import { TrackerFailure, type TrackerFailureKind } from '#domain/ticketing/trackers/tracker-failure.ts';
import { NOT_FOUND, VALIDATION_FAILED } from '#kernel/contract/common-faults.ts';
import type { FieldError } from '#kernel/contract/fault.ts';
import { refuseFieldErrors } from '#kernel/contract/field-errors.ts';
import { Secret } from '#kernel/crypto/secret.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Call } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';

type SaveCall = Call<typeof contract.createTicketingInstance> | Call<typeof contract.updateTicketingInstance>;
type Body = SaveCall['body'];

/** Fixed sentences: the answer of an address that somebody enters is not shown. */
const REASONS: Record<TrackerFailureKind, string> = {
  revoked: 'it does not accept the token.',
  gone: 'it has no such project or type of tickets, or hides them from this account.',
  refused: 'it refuses the account, the project or the type of tickets.',
  limited: 'it asks to wait.',
  unreachable: 'it could not be reached, or did not answer as such a tracker does.',
  unclear: 'it did not answer in time.',
};

function checkBody({ instanceType, siteUrl, account = '', issueTypeId = '' }: Body): void {
  const errors: FieldError[] = [];
  const require = (pointer: string, detail: string) => errors.push({ pointer, code: 'REQUIRED', detail });
  const isJira = instanceType === 'jira' || instanceType === 'jira_server';
  if (isJira && issueTypeId === '') require('#/issueTypeId', 'is required for Jira');
  if (instanceType === 'jira' && account === '') require('#/account', 'is required for Jira Cloud');
  const { search, hash, pathname } = new URL(siteUrl);
  if (search !== '' || hash !== '')
    errors.push({ pointer: '#/siteUrl', code: 'INVALID', detail: 'must have neither a query nor a fragment' });
  if (instanceType === 'linear' && pathname === '/')
    require('#/siteUrl', 'must name the workspace: https://linear.app/acme');
  refuseFieldErrors(VALIDATION_FAILED, errors);
}

const withoutSlash = (url: string) => url.replace(/\/+$/, '');

const isSameRecipient = (before: StoredInstance, { instanceType, siteUrl, account = '' }: Body) =>
  before.kind === instanceType && before.site_url === withoutSlash(siteUrl) && before.account === account;

/** The token of the request, or the stored one, if it is for the same account of the same tracker. */
async function tokenFor(tx: Tx, { services, body }: SaveCall, ref: DestinationRef | undefined): Promise<Secret> {
  if (body.token !== undefined) return new Secret(body.token);
  const before = ref && (await findInstance(tx, ref));
  if (!before) throw NOT_FOUND();
  const stored = isSameRecipient(before, body) ? await findToken(tx, services.keys, ref) : undefined;
  if (!stored) throw contract.TRACKER_TOKEN_REQUIRED();
  return stored;
}

/** Checks the settings at the tracker, before anything is stored. */
export async function checkSettings(
  call: SaveCall,
  ref?: DestinationRef,
): Promise<{ settings: InstanceSettings; token: Secret }> {
  const { body, services, caller, read } = call;
  checkBody(body);
  const siteUrl = withoutSlash(body.siteUrl);
  const { instanceType: kind, account = '', issueTypeId: issueType = '', fields = {} } = body;
  for (const url of [siteUrl, apiBaseOf(kind, siteUrl)])
    if (!services.egress.accepts(url)) throw contract.TRACKER_URL_REFUSED({ url });
  const token = await read((tx) => tokenFor(tx, call, ref));
  const common = { kind, siteUrl, account, trackerProject: body.projectId, issueType };
  const fixedTransition = body.fixedTransitionId ?? '';
  const { deployment } = caller;
  const connection = { ...common, deployment, token, trackerAccount: '', fieldKinds: {}, fixedTransition };
  try {
    const found = await trackerOf(services, connection, 4_500).check();
    refuseFieldErrors(VALIDATION_FAILED, validateMapping(fields, found.fields));
    const settings = {
      ...{ ...common, name: body.name.trim(), fields, fixedTransition, trackerAccount: found.account },
      fieldKinds: fieldKindsOf(fields, found.fields),
      automationStates: body.automationStates ?? NO_AUTOMATION,
    };
    return { settings, token };
  } catch (error) {
    if (error instanceof TrackerFailure) throw contract.TRACKER_REFUSED({ reason: REASONS[error.kind] });
    throw error;
  }
}

export async function answerInstance(tx: Tx, ref: DestinationRef) {
  const stored = await findInstance(tx, ref);
  if (!stored) throw NOT_FOUND();
  return { instance: shownInstance(stored) };
}
