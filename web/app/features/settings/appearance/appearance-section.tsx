import '@mantine/core/styles/SegmentedControl.layer.css';
import { SegmentedControl, Switch, useMantineColorScheme } from '@mantine/core';
import { useState } from 'react';
import { Keycaps } from '#web/foundation/keys/keycaps.tsx';
import { SHORTCUTS, type ShortcutName } from '#web/foundation/keys/shortcuts.ts';
import { areSingleKeysEnabled, setSingleKeysEnabled } from '#web/foundation/keys/use-shortcuts.ts';
import { Page } from '#web/ui/page/page.tsx';
import { RelativeTime, setTimeFormat, useTimeFormat } from '#web/ui/text/relative-time.tsx';
import { DataTable, type TableColumn } from '../parts/data-table.tsx';
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

const COLUMNS: readonly TableColumn<ShortcutName>[] = [
  { name: 'Keys', cell: (name) => <Keycaps name={name} /> },
  { name: 'What they do', cell: (name) => SHORTCUTS[name].label },
  { name: 'Where', cell: (name) => SHORTCUTS[name].group },
];

/** How pages look and answer to keys, in this browser only. */
export function AppearanceSection() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const times = useTimeFormat();
  const chooseTimes = (isAbsolute: boolean) => {
    setTimeFormat(isAbsolute);
    if (times.isTurned) times.toggle();
  };
  const [areOn, setAreOn] = useState(areSingleKeysEnabled);
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
            Three days ago is shown as: <RelativeTime at={now} />. The other form is in the title; a click on any time
            turns all of them until the page is loaded again.
          </p>
        </fieldset>
        <fieldset>
          <legend>Keys</legend>
          <Switch
            label="Single keys"
            description="Off: only keys with Ctrl or ⌘ do something."
            checked={areOn}
            onChange={(event) => {
              setSingleKeysEnabled(event.currentTarget.checked);
              setAreOn(event.currentTarget.checked);
            }}
          />
          <details>
            <summary>All keys</summary>
            <DataTable
              label="Keys"
              columns={COLUMNS}
              rows={Object.keys(SHORTCUTS) as ShortcutName[]}
              keyOf={(name) => name}
            />
          </details>
        </fieldset>
      </div>
    </Page>
  );
}
