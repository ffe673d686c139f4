import '@mantine/core/styles/SegmentedControl.layer.css';
import { SegmentedControl, Switch, useMantineColorScheme } from '@mantine/core';
import { useState } from 'react';
import { Keycaps } from '#web/foundation/keys/keycaps.tsx';
import { SHORTCUTS, type ShortcutName } from '#web/foundation/keys/shortcuts.ts';
import { areSingleKeysEnabled, setSingleKeysEnabled } from '#web/foundation/keys/use-shortcuts.ts';
import { Page } from '#web/ui/page/page.tsx';
import { DataTable, type TableColumn } from '#web/ui/table/data-table.tsx';
import { RelativeTime, setTimeFormat, useTimeFormat } from '#web/ui/text/relative-time.tsx';
import './appearance.css';

const SCHEMES = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

const TIMES = [
  { value: 'relative', label: 'Relative' },
  { value: 'absolute', label: 'Date and time' },
];

const COLUMNS: readonly TableColumn<ShortcutName>[] = [
  { name: 'Keys', cell: (name) => <Keycaps name={name} /> },
  { name: 'Action', cell: (name) => SHORTCUTS[name].label },
  { name: 'Group', cell: (name) => SHORTCUTS[name].group },
];

/** Colors, time format and keyboard shortcuts of this browser. */
export function AppearanceSection() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const times = useTimeFormat();
  const chooseTimes = (isAbsolute: boolean) => {
    setTimeFormat(isAbsolute);
    if (times.isToggled) times.toggle();
  };
  const [areOn, setAreOn] = useState(areSingleKeysEnabled);
  const [now] = useState(() => new Date(Date.now() - 3 * 86_400_000).toISOString());
  return (
    <Page title="Appearance and shortcuts">
      <div className="appearance">
        <p className="dimmed">These settings apply to this browser only.</p>
        <fieldset>
          <legend>Colors</legend>
          <SegmentedControl
            aria-label="Colors"
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
            Three days ago is shown as <RelativeTime at={now} />. Hover over a time to see the exact time; click one to
            switch all of them until the page is reloaded.
          </p>
        </fieldset>
        <fieldset>
          <legend>Keyboard shortcuts</legend>
          <Switch
            label="Single-key shortcuts"
            description="When off, only shortcuts with Ctrl or ⌘ work."
            checked={areOn}
            onChange={(event) => {
              setSingleKeysEnabled(event.currentTarget.checked);
              setAreOn(event.currentTarget.checked);
            }}
          />
          <details>
            <summary>All shortcuts</summary>
            <DataTable
              label="Keyboard shortcuts"
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
