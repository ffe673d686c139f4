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
  onCreated: (created: CreatedToken) => void;
  onClose: () => void;
}

/** Creates a token from a preset, which can be restricted further. */
export function CreateToken({ preset, onPreset, onCreated, onClose }: CreateTokenProps) {
  const { id: deploymentId } = useOrg();
  const [name, setName] = useState('');
  const [days, setDays] = useState(String(DEFAULT_EXPIRY_DAYS));
  const [overrides, setOverrides] = useState<Partial<TokenAccess>>({});
  const { role, webApi, scopes } = { ...preset, ...overrides };
  const body = { name: name.trim(), role, webApi, ...(scopes.length > 0 ? { scopes } : {}) };
  const creating = useMutation({
    mutationFn: () =>
      tokens.createToken({
        path: { deploymentId },
        body: { ...body, expiresAt: expiryDate(Number(days), new Date()) },
      }),
    onSuccess: onCreated,
  });
  const errors = fieldErrorsOf(creating.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    creating.mutate();
  };
  return (
    <Dialog onClose={onClose} title="Create a token" size="lg">
      <form className="settings-form" onSubmit={submit}>
        <FormProblem error={creating.error} />
        <Radio.Group
          label="Purpose"
          value={preset.id}
          onChange={(id) => {
            setOverrides({});
            onPreset(id as TokenPreset['id']);
          }}
        >
          <div className="token-presets">
            {TOKEN_PRESETS.map((option) => (
              <div key={option.id} className="token-preset">
                <Radio value={option.id} label={option.name} description={option.description} />
              </div>
            ))}
          </div>
        </Radio.Group>
        <div className="settings-row">
          <TextInput
            label="Name"
            description="Where it is used, such as the name of the pipeline."
            required
            maxLength={128}
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={errors['name']}
          />
          <NativeSelect
            label="Expires after"
            description="You can rotate it without downtime before it expires."
            value={days}
            data={EXPIRY_DAYS.map((count) => ({ value: String(count), label: `${count} days` }))}
            onChange={(event) => setDays(event.currentTarget.value)}
            error={errors['expiresAt']}
          />
        </div>
        <AccessFields
          access={{ role, webApi, scopes }}
          onChange={(change) => setOverrides({ ...overrides, ...change })}
        />
        <CapabilityList access={{ role, webApi, scopes }} />
        <div className="settings-form-actions">
          <CopyAsMenu operationId="TokenService_CreateToken" input={{ path: { deploymentId }, body }} />
          <Button type="submit" loading={creating.isPending}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function AccessFields({ access, onChange }: { access: TokenAccess; onChange: (change: Partial<TokenAccess>) => void }) {
  return (
    <details className="token-access-fields">
      <summary>Customize access</summary>
      <div className="settings-form">
        <NativeSelect
          label="Role"
          value={access.role}
          data={TOKEN_ROLES.map((value) => ({ value, label: TOKEN_ROLE_LABELS[value] ?? value }))}
          onChange={(event) => onChange({ role: event.currentTarget.value as TokenRole })}
        />
        <Switch
          label="Web API"
          description="Without it, the token can only upload CI results."
          checked={access.webApi}
          onChange={(event) => onChange({ webApi: event.currentTarget.checked })}
        />
        <TextInput
          label="Limited scopes (optional)"
          description="For example project:read. The API does not accept tokens with limited scopes."
          defaultValue={access.scopes.join(' ')}
          onChange={(event) => onChange({ scopes: parseScopes(event.currentTarget.value) })}
        />
      </div>
    </details>
  );
}
