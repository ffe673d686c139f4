import { Button, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ssoSettings } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { ProblemView } from '#web/ui/page/view-states.tsx';
import type { ProviderDraft } from './provider-draft.ts';

/** Fills in the fields of a SAML provider from its metadata. */
export function MetadataField({ onRead }: { onRead: (part: Partial<ProviderDraft>) => void }) {
  const { id: deploymentId } = useOrg();
  const [source, setSource] = useState('');
  const reading = useMutation({
    mutationFn: () => {
      const text = source.trim();
      const body = /^https?:/.test(text) ? { url: text } : { metadata: text };
      return ssoSettings.readSamlMetadata({ path: { deploymentId }, body });
    },
    onSuccess: ({ idpIssuer, idpSsoUrl, certificates: [x509cert = ''] }) => onRead({ idpIssuer, idpSsoUrl, x509cert }),
  });
  return (
    <details>
      <summary>Fill in from metadata</summary>
      <div className="settings-form">
        <Textarea
          label="Metadata of the provider"
          description="Its XML, or the URL of it."
          rows={4}
          spellCheck={false}
          value={source}
          onChange={(event) => setSource(event.currentTarget.value)}
        />
        <Button variant="default" loading={reading.isPending} onClick={() => reading.mutate()}>
          Read the metadata
        </Button>
        {reading.isError && <ProblemView error={reading.error} />}
      </div>
    </details>
  );
}
