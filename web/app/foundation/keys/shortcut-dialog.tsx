import { Modal, Switch } from '@mantine/core';
import { useState } from 'react';
import { Keycaps } from './keycaps.tsx';
import './shortcut-dialog.css';
import { SHORTCUTS, type Shortcut, type ShortcutName } from './shortcuts.ts';
import { areSingleKeysEnabled, setSingleKeysEnabled, useActiveShortcuts } from './use-shortcuts.ts';

const GROUPS: Shortcut['group'][] = ['Everywhere', 'Go to', 'Lists', 'Findings', 'Finding'];

/** Lists the keyboard shortcuts that are active on the current page. */
export function ShortcutDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const bound = useActiveShortcuts();
  const [isOn, setIsOn] = useState(areSingleKeysEnabled);
  const rowsOf = (group: Shortcut['group']) =>
    (Object.keys(SHORTCUTS) as ShortcutName[]).filter(
      (name) => SHORTCUTS[name].group === group && bound.includes(name),
    );
  const choose = (next: boolean) => {
    setSingleKeysEnabled(next);
    setIsOn(next);
  };
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keyboard shortcuts" size="lg">
      <div className="shortcut-list">
        {GROUPS.filter((group) => rowsOf(group).length > 0).map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {rowsOf(group).map((name) => (
                <div key={name}>
                  <dt>{SHORTCUTS[name].label}</dt>
                  <dd>
                    <Keycaps name={name} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Switch
        label="Single-key shortcuts"
        description="When off, only shortcuts with Ctrl or ⌘ work."
        checked={isOn}
        onChange={(event) => choose(event.currentTarget.checked)}
      />
    </Modal>
  );
}
