import '@mantine/core/styles/SegmentedControl.layer.css';
import { SegmentedControl, Switch, useMantineColorScheme } from '@mantine/core';
import { useState } from 'react';
import { Keycaps } from '#web/keys/keycaps.tsx';
import { KEYS, type KeyName } from '#web/keys/table.ts';
import { areSingleKeysOn, setSingleKeys } from '#web/keys/use-keys.ts';
import { Page } from '#web/parts/page.tsx';
import { setTimes, useTimes, When } from '#web/parts/when.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import './appearance.css';

const SCHEMES = [
  { value: 'auto', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

const TIMES = [
  { value: 'relative', label: 'How long ago' },
  { value: 'absolute', label: 'Date and time' },
];

const COLUMNS: readonly Column<KeyName>[] = [
  { name: 'Keys', cell: (name) => <Keycaps name={name} /> },
  { name: 'What they do', cell: (name) => KEYS[name].label },
  { name: 'Where', cell: (name) => KEYS[name].group },
];

/** How pages look and answer to keys, in this browser only. */
export function AppearanceSection() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const times = useTimes();
  const chooseTimes = (isAbsolute: boolean) => {
    setTimes(isAbsolute);
    if (times.isTurned) times.toggle();
  };
  const [areOn, setAreOn] = useState(areSingleKeysOn);
  const [now] = useState(() => new Date(Date.now() - 3 * 86_400_000).toISOString());
  return (
    <Page title="Appearance and keys">
      <div className="appearance">
        <p className="dimmed">These are settings of this browser; nobody else sees them.</p>
        <fieldset>
          <legend>Colours</legend>
          <SegmentedControl
            aria-label="Colours"
            data={SCHEMES}
            value={colorScheme}
            onChange={(scheme) => setColorScheme(scheme === 'light' || scheme === 'dark' ? scheme : 'auto')}
          />
        </fieldset>
        <fieldset>
          <legend>Times</legend>
          <SegmentedControl
            aria-label="Times"
            data={TIMES}
            value={times.isAbsolute ? 'absolute' : 'relative'}
            onChange={(style) => chooseTimes(style === 'absolute')}
          />
          <p>
            Three days ago is shown as: <When at={now} />. The other form is in the title; a click on any time turns all
            of them until the page is loaded again.
          </p>
        </fieldset>
        <fieldset>
          <legend>Keys</legend>
          <Switch
            label="Single keys"
            description="Off: only keys with Ctrl or ⌘ do something."
            checked={areOn}
            onChange={(event) => {
              setSingleKeys(event.currentTarget.checked);
              setAreOn(event.currentTarget.checked);
            }}
          />
          <details>
            <summary>All keys</summary>
            <DataTable label="Keys" columns={COLUMNS} rows={Object.keys(KEYS) as KeyName[]} keyOf={(name) => name} />
          </details>
        </fieldset>
      </div>
    </Page>
  );
}
