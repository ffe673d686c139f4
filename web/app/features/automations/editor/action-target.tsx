import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useOrg } from '#web/foundation/session/org.ts';
import {
  slackChannelsQuery,
  storageQuery,
  trackersQuery,
  webhooksQuery,
} from '#web/ui/automations/automation-queries.ts';

interface ActionTargetProps {
  label: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

interface Choice {
  value: string;
  label: string;
}

/** The webhook that an action calls. */
function WebhookSelect(props: ActionTargetProps) {
  const org = useOrg();
  const webhooks = useQuery({ ...webhooksQuery(org.id), enabled: org.may('credential:read') }).data;
  return (
    <TargetSelect
      {...props}
      preset="webhook"
      noun="a webhook"
      choices={webhooks?.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}

/** The tracker in which an action opens tickets. */
function TrackerSelect(props: ActionTargetProps) {
  const org = useOrg();
  const trackers = useQuery(trackersQuery(org.id)).data;
  return (
    <TargetSelect
      {...props}
      preset="tracker"
      noun="a tracker"
      choices={trackers?.map(({ slug, name }) => ({ value: slug, label: name }))}
    />
  );
}

/** The Slack channel that an action posts to. */
function ChannelSelect(props: ActionTargetProps) {
  const org = useOrg();
  const channels = useQuery(slackChannelsQuery(org.id)).data;
  return (
    <TargetSelect
      {...props}
      preset="slack"
      noun="a Slack channel"
      choices={channels?.map((channel) => ({ value: channel.channel_id, label: `#${channel.channel_name}` }))}
    />
  );
}

/** The credential with which an action writes to a bucket. */
function StorageSelect(props: ActionTargetProps) {
  const org = useOrg();
  const storages = useQuery({ ...storageQuery(org.id), enabled: org.may('credential:read') }).data;
  return (
    <TargetSelect
      {...props}
      preset="storage"
      noun="storage"
      choices={storages?.map(({ slug, name }) => ({ value: slug, label: name }))}
    />
  );
}

/** The select for each kind of target. */
export const TARGET_SELECTS = {
  webhook: WebhookSelect,
  tracker: TrackerSelect,
  channel: ChannelSelect,
  storage: StorageSelect,
};

interface TargetSelectProps extends ActionTargetProps {
  /** The form of the integrations page that connects one. */
  preset: string;
  noun: string;
  choices: readonly Choice[] | undefined;
}

function TargetSelect({ label, value, error, onChange, preset, noun, choices = [] }: TargetSelectProps) {
  const { slug } = useOrg();
  const isKnown = value === '' || choices.some((choice) => choice.value === value);
  return (
    <Select
      label={label}
      required
      searchable
      data={[...choices, ...(isKnown ? [] : [{ value, label: `${value} (not connected)` }])]}
      value={value === '' ? null : value}
      error={error}
      description={
        choices.length === 0 && (
          <>
            None is connected yet.{' '}
            <Link
              to="/o/$slug/settings/{-$section}/{-$item}"
              params={{ slug, section: 'integrations', item: undefined }}
              search={{ preset }}
            >
              Connect {noun}
            </Link>
          </>
        )
      }
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  );
}
