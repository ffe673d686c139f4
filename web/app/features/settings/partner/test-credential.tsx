import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { CircleCheck, CircleX } from 'lucide-react';
import { partner } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { ProblemView } from '#web/ui/page/view-states.tsx';
import { validationMessage } from './validation-message.ts';

interface TestCredentialProps {
  /** A stored credential, entered values, or both; without a secret the stored one is used. */
  input: { id?: string; clientId?: string; clientSecret?: string; apiUrl?: string; tokenUrl?: string };
}

/** Validates a credential with the vendor and shows the result beside the button. */
export function TestCredential({ input }: TestCredentialProps) {
  const { id: deploymentId } = useOrg();
  const testing = useMutation({
    mutationFn: () => partner.validatePartnerCredential({ path: { deploymentId }, body: input }),
  });
  return (
    <div className="settings-row">
      <PermissionGate permission="credential:manage">
        {(isDisabled) => (
          <Button
            size="xs"
            variant="default"
            disabled={isDisabled}
            loading={testing.isPending}
            onClick={() => testing.mutate()}
          >
            Test
          </Button>
        )}
      </PermissionGate>
      <span role="status">
        {testing.data && (
          <span className="partner-result" data-kind={testing.data.valid ? 'good' : 'bad'}>
            {testing.data.valid ? (
              <CircleCheck size={16} aria-hidden="true" />
            ) : (
              <CircleX size={16} aria-hidden="true" />
            )}{' '}
            {validationMessage(testing.data)}
          </span>
        )}
      </span>
      {testing.isError && <ProblemView error={testing.error} />}
    </div>
  );
}
