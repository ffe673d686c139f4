import { Button } from '@mantine/core';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { StatusText } from './status-text.tsx';

interface TestButtonProps {
  name: string;
  isBusy: boolean;
  result: { isGood: boolean; error: string } | undefined;
  onClick: () => void;
}

/** Tests a receiver, and shows what came of it. */
export function TestButton({ name, isBusy, result, onClick }: TestButtonProps) {
  return (
    <>
      <PermissionGate permission="credential:manage">
        {(isDisabled) => (
          <Button
            size="xs"
            variant="default"
            disabled={isDisabled}
            loading={isBusy}
            aria-label={`Test ${name}`}
            onClick={onClick}
          >
            Test
          </Button>
        )}
      </PermissionGate>
      <span role="status" className="integration-test">
        {result && (
          <StatusText kind={result.isGood ? 'good' : 'bad'} text={result.isGood ? 'Received' : result.error} />
        )}
      </span>
    </>
  );
}
