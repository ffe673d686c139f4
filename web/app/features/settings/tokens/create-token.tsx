import '@mantine/core/styles/Radio.layer.css';
import { Button, NativeSelect, Radio, Switch, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { tokens } from '#web/foundation/api/services.ts';
import { TOKEN_ROLE_LABELS } from '#web/foundation/format/labels.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { Dialog } from '#web/ui/dialog/dialog.tsx';
import { FormProblem, fieldErrorsOf } from '../parts/form-problem.tsx';
import { CapabilityList } from './capability-list.tsx';
import type { CreatedToken } from './queries.ts';
import {
  DEFAULT_EXPIRY_DAYS,
  EXPIRY_DAYS,
  expiryDate,
  parseScopes,
  TOKEN_PRESETS,
  TOKEN_ROLES,
  type TokenAccess,
  type TokenPreset,
  type TokenRole,
} from './token-access.ts';

interface CreateTokenProps {
  preset: TokenPreset;
  onPreset: (id: TokenPreset['id']) => void;
  onMade: (made: CreatedToken) => void;
  onClose: () => void;
}

/** Makes a token: a preset is enough, all else can be narrowed. */
export function CreateToken({ preset, onPreset, onMade, onClose }: CreateTokenProps) {
  const { id: deploymentId } = useOrg();
  const [name, setName] = useState('');
  const [days, setDays] = useState(String(DEFAULT_EXPIRY_DAYS));
  const [narrowed, setNarrowed] = useState<Partial<TokenAccess>>({});
  const { role, webApi, scopes } = { ...preset, ...narrowed };
  const body = { name: name.trim(), role, webApi, ...(scopes.length > 0 ? { scopes } : {}) };
  const making = useMutation({
    mutationFn: () =>
      tokens.createToken({
        path: { deploymentId },
        body: { ...body, expiresAt: expiryDate(Number(days), new Date()) },
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
            onPreset(id as TokenPreset['id']);
          }}
        >
          <div className="token-presets">
            {TOKEN_PRESETS.map((one) => (
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
        <CapabilityList rights={{ role, webApi, scopes }} />
        <div className="settings-ends">
          <CopyAsMenu operationId="TokenService_CreateToken" input={{ path: { deploymentId }, body }} />
          <Button type="submit" loading={making.isPending}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Narrowing({ rights, onChange }: { rights: TokenAccess; onChange: (change: Partial<TokenAccess>) => void }) {
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
          onChange={(event) => onChange({ scopes: parseScopes(event.currentTarget.value) })}
        />
      </div>
    </details>
  );
}
