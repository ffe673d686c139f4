import { PasswordInput, Switch, Textarea, TextInput } from '@mantine/core';
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

/** What an OpenID Connect client needs: the discovery address tells the rest. */
export function ClientFields({ hasSecret, shape, ...fields }: FieldsProps & { hasSecret: boolean; shape: string }) {
  const { draft, errors, onChange } = fields;
  return (
    <>
      <TextField
        {...fields}
        member="wellKnownUrl"
        label="Discovery address"
        description={shape === '' ? 'Ends with /.well-known/openid-configuration.' : `Such as ${shape}`}
        required={draft.type === 'SSO_TYPE_OPENID'}
      />
      <div className="settings-row">
        <TextField {...fields} member="clientId" label="Client id" required={draft.type === 'SSO_TYPE_OPENID'} />
        <PasswordInput
          label={hasSecret ? 'Client secret (stored)' : 'Client secret (optional)'}
          description={
            hasSecret
              ? 'Leave it empty to keep it; type it again when client or addresses change.'
              : 'Never shown again.'
          }
          autoComplete="off"
          value={draft.clientSecret}
          error={errors['clientSecret']}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide what is typed' }}
          onChange={(event) => onChange({ clientSecret: event.currentTarget.value })}
        />
      </div>
      <details>
        <summary>Single endpoints (optional)</summary>
        <div className="settings-form">
          <p className="dimmed">Empty ones are taken from the discovery document.</p>
          <TextField {...fields} member="authUri" label="Authorization endpoint" />
          <TextField {...fields} member="tokenUri" label="Token endpoint" />
          <TextField {...fields} member="userinfoUri" label="Userinfo endpoint" />
          <TextField {...fields} member="baseUrl" label="Base address" />
        </div>
      </details>
    </>
  );
}

/** What the metadata of a SAML provider says. */
export function SamlFields(fields: FieldsProps) {
  const { draft, errors, onChange } = fields;
  return (
    <>
      <TextField {...fields} member="idpIssuer" label="Issuer" description="entityID of the provider." required />
      <TextField {...fields} member="idpSsoUrl" label="Sign-in address" description="SingleSignOnService." required />
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
      <TextField {...fields} member="spEntityId" label="Our entity id (optional)" />
      <Switch
        label="Unspecified authentication context"
        description="For providers that refuse to be told how people sign in."
        checked={draft.unspecifiedAuthnContext}
        onChange={(event) => onChange({ unspecifiedAuthnContext: event.currentTarget.checked })}
      />
    </>
  );
}
