import '@mantine/core/styles/Radio.layer.css';
import { Button, NativeSelect, Radio, Switch, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { tokens } from '#web/api/services.ts';
import { TOKEN_ROLE_LABELS } from '#web/labels.ts';
import { useOrg } from '#web/org/org.ts';
import { CopyAs } from '#web/parts/copy-as.tsx';
import { Dialog } from '#web/parts/dialog.tsx';
import { FormProblem, fieldErrorsOf } from '../parts/form-problem.tsx';
import {
  DEFAULT_EXPIRY_DAYS,
  EXPIRY_DAYS,
  expiryAfter,
  PRESETS,
  type Preset,
  type Rights,
  scopesIn,
  TOKEN_ROLES,
  type TokenRole,
} from './rights.ts';
import type { MadeToken } from './token-data.ts';
import { WorksWith } from './works-with.tsx';

interface CreateTokenProps {
  preset: Preset;
  onPreset: (id: Preset['id']) => void;
  onMade: (made: MadeToken) => void;
  onClose: () => void;
}

/** Makes a token: a preset is enough, all else can be narrowed. */
export function CreateToken({ preset, onPreset, onMade, onClose }: CreateTokenProps) {
  const { id: deploymentId } = useOrg();
  const [name, setName] = useState('');
  const [days, setDays] = useState(String(DEFAULT_EXPIRY_DAYS));
  const [narrowed, setNarrowed] = useState<Partial<Rights>>({});
  const { role, webApi, scopes } = { ...preset, ...narrowed };
  const body = { name: name.trim(), role, webApi, ...(scopes.length > 0 ? { scopes } : {}) };
  const making = useMutation({
    mutationFn: () =>
      tokens.createToken({
        path: { deploymentId },
        body: { ...body, expiresAt: expiryAfter(Number(days), new Date()) },
      }),
    onSuccess: onMade,
  });
  const errors = fieldErrorsOf(making.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    making.mutate();
  };
  return (
    <Dialog onClose={onClose} title="Create a token" size="lg">
      <form className="settings-form" onSubmit={submit}>
        <FormProblem error={making.error} />
        <Radio.Group
          label="What for"
          value={preset.id}
          onChange={(id) => {
            setNarrowed({});
            onPreset(id as Preset['id']);
          }}
        >
          <div className="token-presets">
            {PRESETS.map((one) => (
              <div key={one.id} className="token-preset">
                <Radio value={one.id} label={one.name} description={one.about} />
              </div>
            ))}
          </div>
        </Radio.Group>
        <div className="settings-row">
          <TextInput
            label="Name"
            description="Where it will be used, such as the pipeline."
            required
            maxLength={128}
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={errors['name']}
          />
          <NativeSelect
            label="Expires after"
            description="It can be replaced without a gap before."
            value={days}
            data={EXPIRY_DAYS.map((count) => ({ value: String(count), label: `${count} days` }))}
            onChange={(event) => setDays(event.currentTarget.value)}
            error={errors['expiresAt']}
          />
        </div>
        <Narrowing rights={{ role, webApi, scopes }} onChange={(change) => setNarrowed({ ...narrowed, ...change })} />
        <WorksWith rights={{ role, webApi, scopes }} />
        <div className="settings-ends">
          <CopyAs operationId="TokenService_CreateToken" input={{ path: { deploymentId }, body }} />
          <Button type="submit" loading={making.isPending}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Narrowing({ rights, onChange }: { rights: Rights; onChange: (change: Partial<Rights>) => void }) {
  return (
    <details className="token-narrow">
      <summary>Set each right</summary>
      <div className="settings-form">
        <NativeSelect
          label="Role"
          value={rights.role}
          data={TOKEN_ROLES.map((value) => ({ value, label: TOKEN_ROLE_LABELS[value] ?? value }))}
          onChange={(event) => onChange({ role: event.currentTarget.value as TokenRole })}
        />
        <Switch
          label="Web API"
          description="Without it a token only brings results of CI."
          checked={rights.webApi}
          onChange={(event) => onChange({ webApi: event.currentTarget.checked })}
        />
        <TextInput
          label="Limited scopes (optional)"
          description="Words such as project:read. The API accepts no token with limited scopes."
          defaultValue={rights.scopes.join(' ')}
          onChange={(event) => onChange({ scopes: scopesIn(event.currentTarget.value) })}
        />
      </div>
    </details>
  );
}
