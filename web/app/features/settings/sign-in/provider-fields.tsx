import { PasswordInput, Switch, Textarea, TextInput } from '@mantine/core';
import { MetadataField } from './metadata-field.tsx';
import type { ProviderDraft } from './provider-draft.ts';

interface FieldsProps {
  draft: ProviderDraft;
  errors: Record<string, string>;
  onChange: (part: Partial<ProviderDraft>) => void;
}

type TextMember = {
  [Name in keyof ProviderDraft]: ProviderDraft[Name] extends string ? Name : never;
}[keyof ProviderDraft];

interface TextFieldProps extends FieldsProps {
  member: TextMember;
  label: string;
  description?: string;
  placeholder?: string;
  required?: boolean;
}

function TextField({ draft, errors, onChange, member, ...rest }: TextFieldProps) {
  return (
    <TextInput
      {...rest}
      value={draft[member]}
      error={errors[member]}
      spellCheck={false}
      onChange={(event) => onChange({ [member]: event.currentTarget.value })}
    />
  );
}

/** The fields of an OpenID Connect client; endpoints come from the discovery document. */
export function ClientFields({ hasSecret, shape, ...fields }: FieldsProps & { hasSecret: boolean; shape: string }) {
  const { draft, errors, onChange } = fields;
  return (
    <>
      <TextField
        {...fields}
        member="wellKnownUrl"
        label="Discovery URL"
        description={shape === '' ? 'Ends with /.well-known/openid-configuration.' : `For example ${shape}`}
        required={draft.type === 'SSO_TYPE_OPENID'}
      />
      <div className="settings-row">
        <TextField {...fields} member="clientId" label="Client id" required={draft.type === 'SSO_TYPE_OPENID'} />
        <PasswordInput
          label={hasSecret ? 'Client secret (stored)' : 'Client secret (optional)'}
          description={
            hasSecret
              ? 'Leave empty to keep it. Enter it again if you change the client id or URLs.'
              : 'Never shown again.'
          }
          autoComplete="off"
          value={draft.clientSecret}
          error={errors['clientSecret']}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the secret' }}
          onChange={(event) => onChange({ clientSecret: event.currentTarget.value })}
        />
      </div>
      <details>
        <summary>Individual endpoints (optional)</summary>
        <div className="settings-form">
          <p className="dimmed">Empty fields are taken from the discovery document.</p>
          <TextField {...fields} member="authUri" label="Authorization endpoint" />
          <TextField {...fields} member="tokenUri" label="Token endpoint" />
          <TextField {...fields} member="userinfoUri" label="Userinfo endpoint" />
          <TextField {...fields} member="baseUrl" label="Base URL" />
        </div>
      </details>
    </>
  );
}

/** The fields of a SAML provider, as found in its metadata. */
export function SamlFields(fields: FieldsProps) {
  const { draft, errors, onChange } = fields;
  return (
    <>
      <MetadataField onRead={onChange} />
      <TextField {...fields} member="idpIssuer" label="Issuer" description="The entityID of the provider." required />
      <TextField {...fields} member="idpSsoUrl" label="Sign-in URL" description="SingleSignOnService." required />
      <Textarea
        label="Certificate"
        description="One X.509 certificate, as PEM or as base64."
        required
        rows={6}
        spellCheck={false}
        value={draft.x509cert}
        error={errors['x509cert']}
        onChange={(event) => onChange({ x509cert: event.currentTarget.value })}
      />
      <TextField {...fields} member="spEntityId" label="Service provider entity ID (optional)" />
      <Switch
        label="Unspecified authentication context"
        description="For providers that do not accept a requested authentication context."
        checked={draft.unspecifiedAuthnContext}
        onChange={(event) => onChange({ unspecifiedAuthnContext: event.currentTarget.checked })}
      />
    </>
  );
}
