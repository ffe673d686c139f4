import { Switch } from '@mantine/core';
import type { BuiltInStates } from './tracker-draft.ts';

const SWITCHES: Record<keyof BuiltInStates, string> = {
  sast: 'Code: high or critical, high confidence, on the primary branch',
  sca: 'Dependencies: high or critical, reachable, on the primary branch',
  scaMaliciousDeps: 'Malicious dependencies, on any branch',
  secrets: 'Secrets: high or critical, valid, on any branch',
  aiSast: 'AI: high or critical, on the primary branch',
};

interface BuiltInSwitchesProps {
  states: BuiltInStates;
  onChange: (states: BuiltInStates) => void;
}

/** Which findings get tickets without an automation of somebody. */
export function BuiltInSwitches({ states, onChange }: BuiltInSwitchesProps) {
  return (
    <fieldset className="form-part">
      <legend>Tickets without an automation</legend>
      {(Object.keys(SWITCHES) as (keyof BuiltInStates)[]).map((name) => (
        <Switch
          key={name}
          label={SWITCHES[name]}
          checked={states[name]}
          onChange={(event) => onChange({ ...states, [name]: event.currentTarget.checked })}
        />
      ))}
    </fieldset>
  );
}
