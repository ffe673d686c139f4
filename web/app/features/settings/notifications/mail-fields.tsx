import { Button, NativeSelect, Select, Switch } from '@mantine/core';
import { digestTimes, type MailEdits, type MailRhythm, type MailSettings } from './mail-edits.ts';

interface MailFieldsProps {
  current: MailSettings;
  onChange: (change: MailEdits) => void;
}

const RHYTHMS: { value: MailRhythm; label: string }[] = [
  { value: 'now', label: 'Within minutes' },
  { value: 'daily', label: 'Daily' },
  { value: 'weekly', label: 'Weekly' },
  { value: 'never', label: 'Never' },
];

const PARTS = [
  { name: 'findings', label: 'New findings', description: 'Of the projects that you can see.' },
  { name: 'approvals', label: 'Requests to ignore', description: 'Those that wait for your decision.' },
  { name: 'notices', label: 'Warnings', description: 'Such as an integration that fails.' },
] as const;

/** How often each part of the digest is sent. */
export function DigestFields({ current, onChange }: MailFieldsProps) {
  return (
    <fieldset className="form-part">
      <legend>Digest</legend>
      <p className="dimmed">Sent only if there is news.</p>
      <div className="settings-row">
        {PARTS.map(({ name, label, description }) => (
          <NativeSelect
            key={name}
            label={label}
            description={description}
            data={RHYTHMS}
            value={current[name]}
            onChange={(event) => onChange({ [name]: event.currentTarget.value as MailRhythm })}
          />
        ))}
      </div>
    </fieldset>
  );
}

const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}));
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map((label, index) => ({
  value: String(index + 1),
  label,
}));
const ownTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
const MAX_SHOWN_ZONES = 100;

/** When daily and weekly digests are sent. */
export function TimeFields({ current, onChange }: MailFieldsProps) {
  const { hasHour, hasWeekday } = digestTimes(current);
  if (!hasHour) return null;
  const own = ownTimeZone();
  const zones = new Set(['UTC', own, current.timeZone, ...Intl.supportedValuesOf('timeZone')]);
  return (
    <fieldset className="form-part">
      <legend>Time of digests</legend>
      <div className="settings-row">
        <NativeSelect
          label="Hour"
          data={HOURS}
          value={String(current.hour)}
          onChange={(event) => onChange({ hour: Number(event.currentTarget.value) })}
        />
        {hasWeekday && (
          <NativeSelect
            label="Day of weekly digests"
            data={WEEKDAYS}
            value={String(current.weekday)}
            onChange={(event) => onChange({ weekday: Number(event.currentTarget.value) })}
          />
        )}
        <Select
          label="Time zone"
          searchable
          allowDeselect={false}
          limit={MAX_SHOWN_ZONES}
          data={[...zones]}
          value={current.timeZone}
          nothingFoundMessage="No such time zone"
          onChange={(timeZone) => timeZone !== null && onChange({ timeZone })}
        />
      </div>
      {own !== current.timeZone && (
        <Button variant="default" size="xs" onClick={() => onChange({ timeZone: own })}>
          Use the time zone of this browser: {own}
        </Button>
      )}
    </fieldset>
  );
}

/** Mails that do not wait for a digest. */
export function ImmediateFields({ current, onChange }: MailFieldsProps) {
  return (
    <fieldset className="form-part">
      <legend>At once</legend>
      <Switch
        label="Valid secrets"
        description="When a scan finds a secret that works."
        checked={current.validSecrets}
        onChange={(event) => onChange({ validSecrets: event.currentTarget.checked })}
      />
      <Switch
        label="Automations"
        description="What automations and notification rules send to your address."
        checked={current.automations}
        onChange={(event) => onChange({ automations: event.currentTarget.checked })}
      />
    </fieldset>
  );
}
