import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Hash, Ticket, Webhook } from 'lucide-react';
import { Fragment, useState } from 'react';
import { useOrg } from '#web/foundation/session/org.ts';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { healthOf } from './destination-health.ts';
import './integrations.css';
import { StatusText } from '../parts/status-text.tsx';
import { RotateSecret } from './rotate-secret.tsx';
import { TestChannel } from './slack/test-channel.tsx';
import { TestWebhook } from './test-webhook.tsx';
import { TRACKER_KINDS } from './tracker-kinds.ts';
import type { Integration } from './use-integrations.ts';

const ROUTE = '/o/$slug/settings/{-$section}/{-$item}';

interface IntegrationCardProps {
  integration: Integration;
  onEdit: () => void;
  onDelete: () => void;
}

/** One receiver: how it is, since when, what waits for it, and who depends on it. */
export function IntegrationCard({ integration, onEdit, onDelete }: IntegrationCardProps) {
  const { slug } = useOrg();
  const { destination, webhook, tracker, channel } = integration;
  const Kind = iconOf(integration);
  const isEditable = webhook !== undefined || tracker !== undefined;
  return (
    <li className="integration">
      <header>
        <Kind size={18} aria-hidden="true" />
        <h2>
          <Link to={ROUTE} params={{ slug, section: 'integrations', item: destination.id }}>
            {destination.name}
          </Link>
        </h2>
        <Health integration={integration} />
      </header>
      <p className="dimmed integration-what">{whatText(integration)}</p>
      <IntegrationFacts integration={integration} />
      {(isEditable || channel) && (
        <div className="integration-actions">
          {webhook && <TestWebhook webhook={webhook} />}
          {webhook && <Rotation webhook={webhook} />}
          {channel && <TestChannel channel={channel} />}
          {isEditable && (
            <PermissionGate permission="credential:manage">
              {(isDisabled) => (
                <Button
                  variant="default"
                  size="xs"
                  disabled={isDisabled}
                  aria-label={`Edit ${destination.name}`}
                  onClick={onEdit}
                >
                  Edit
                </Button>
              )}
            </PermissionGate>
          )}
          <PermissionGate permission="credential:manage">
            {(isDisabled) => (
              <Button
                variant="subtle"
                color="red"
                size="xs"
                disabled={isDisabled}
                aria-label={`${removalWord(integration)} ${destination.name}`}
                onClick={onDelete}
              >
                {removalWord(integration)}
              </Button>
            )}
          </PermissionGate>
        </div>
      )}
    </li>
  );
}

function iconOf({ tracker, channel }: Integration) {
  if (tracker) return Ticket;
  return channel ? Hash : Webhook;
}

/** What removing it is called. */
export function removalWord({ tracker, channel }: Pick<Integration, 'tracker' | 'channel'>) {
  if (tracker) return 'Disconnect';
  return channel ? 'Remove' : 'Delete';
}

/** What a destination without settings of its own is. */
const KIND_LABELS: Readonly<Record<string, string>> = {
  webhook: 'Webhook of a notification rule',
  slack_webhook: 'Slack webhook of a notification rule',
  mail: 'E-mail address',
  s3: 'Storage bucket',
};

function whatText({ webhook, tracker, channel, destination }: Integration): string {
  if (webhook) return webhook.url;
  if (channel) return 'Slack channel';
  if (tracker) return `${TRACKER_KINDS[tracker.instanceType].label} · ${tracker.siteUrl} · ${tracker.projectId}`;
  return KIND_LABELS[destination.kind] ?? destination.kind;
}

export function Health({ integration: { destination, tracker } }: { integration: Integration }) {
  if (tracker?.isAuthRevoked) return <StatusText kind="bad" text="Token revoked" />;
  return <StatusText {...healthOf(destination, new Date())} />;
}

const COUNTS = ['waiting', 'held', 'failed'] as const;

export function IntegrationFacts({ integration }: { integration: Integration }) {
  const { slug } = useOrg();
  const { destination, dependents } = integration;
  const { lastSuccessAt, lastFailureAt, lastFailure, failures, pausedUntil, state, stateReason } = destination;
  const shown = COUNTS.filter((name) => destination[name] > 0);
  const reason = stateReason !== '' ? stateReason : lastFailure;
  const isFailing = failures > 0 || state === 'disabled';
  return (
    <dl className="integration-facts">
      <dt>Last success</dt>
      <dd>
        <RelativeTime at={lastSuccessAt} />
      </dd>
      {isFailing && (
        <>
          <dt>Last failure</dt>
          <dd>
            <RelativeTime at={lastFailureAt} />
            {reason !== '' && <>: {reason}</>}
          </dd>
          <dt>Next try</dt>
          <dd>{nextTry(integration) ?? <RelativeTime at={pausedUntil} />}</dd>
        </>
      )}
      <dt>Queue</dt>
      <dd>
        {shown.length === 0 && 'empty'}
        {shown.map((name, index) => (
          <Fragment key={name}>
            {index > 0 && ' · '}
            <Link to={ROUTE} params={{ slug, section: 'integrations', item: destination.id }} search={{ state: name }}>
              {destination[name]} {name}
            </Link>
          </Fragment>
        ))}
      </dd>
      <dt>Used by</dt>
      <dd>
        {dependents.length === 0 && <span className="dimmed">no automation</span>}
        {dependents.map(({ id, name }, index) => (
          <Fragment key={id}>
            {index > 0 && ', '}
            <Link to="/o/$slug/automations/$automationId" params={{ slug, automationId: id }}>
              {name}
            </Link>
          </Fragment>
        ))}
      </dd>
    </dl>
  );
}

function nextTry({ destination: { state }, tracker, channel }: Integration): string | undefined {
  if (tracker?.isAuthRevoked) return 'after it gets a new token';
  if (state !== 'disabled') return undefined;
  return channel ? 'after a test that succeeds' : 'after somebody edits it';
}

function Rotation({ webhook }: { webhook: NonNullable<Integration['webhook']> }) {
  const [isOpen, setIsOpen] = useState(false);
  if (!webhook.hasSecret) return null;
  return (
    <>
      <PermissionGate permission="credential:manage">
        {(isDisabled) => (
          <Button
            variant="default"
            size="xs"
            disabled={isDisabled}
            aria-label={`Replace the secret of ${webhook.name}`}
            onClick={() => setIsOpen(true)}
          >
            Replace secret
          </Button>
        )}
      </PermissionGate>
      {isOpen && <RotateSecret webhook={webhook} onClose={() => setIsOpen(false)} />}
    </>
  );
}
