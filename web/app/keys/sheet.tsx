import { Modal, Switch } from '@mantine/core';
import { useState } from 'react';
import { Keycaps } from './keycaps.tsx';
import './sheet.css';
import { KEYS, type KeyName, type KeyRow } from './table.ts';
import { areSingleKeysOn, setSingleKeys, useBoundKeys } from './use-keys.ts';

const GROUPS: KeyRow['group'][] = ['Everywhere', 'Go to', 'Lists', 'Findings', 'Finding'];

/** The keys that work on the page that is open. */
export function KeySheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const bound = useBoundKeys();
  const [isOn, setIsOn] = useState(areSingleKeysOn);
  const rowsOf = (group: KeyRow['group']) =>
    (Object.keys(KEYS) as KeyName[]).filter((name) => KEYS[name].group === group && bound.includes(name));
  const choose = (next: boolean) => {
    setSingleKeys(next);
    setIsOn(next);
  };
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keys of this page" size="lg">
      <div className="key-sheet">
        {GROUPS.filter((group) => rowsOf(group).length > 0).map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {rowsOf(group).map((name) => (
                <div key={name}>
                  <dt>{KEYS[name].label}</dt>
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
        label="Single keys"
        description="Off: only keys with Ctrl or ⌘ do something."
        checked={isOn}
        onChange={(event) => choose(event.currentTarget.checked)}
      />
    </Modal>
  );
}
