import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Problem } from '#web/foundation/api/problem.ts';
import { editor } from '#web/foundation/api/services.ts';
import { notify, notifyProblem } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';

/** The server takes rules as JSON. The parser is loaded only when it is needed. */
async function parseRule(text: string): Promise<Record<string, unknown>> {
  const { parse } = await import('yaml');
  try {
    const parsed: unknown = parse(text, { maxAliasCount: 50 });
    if (typeof parsed === 'object' && parsed !== null) return parsed as Record<string, unknown>;
  } catch {
    // The engine has already said what is wrong with the text.
  }
  throw new Problem({
    ...{ title: 'This is not a rule', status: 0, code: 'INVALID_YAML', requestId: '', errors: [] },
    detail: 'The text is not YAML with a list of rules.',
    hint: 'Correct what the result complains about first.',
  });
}

/** Saves the rule under its id, with the code as its test. */
export function SaveRule({ rule, code }: { rule: string; code: string }) {
  const org = useOrg();
  const save = useMutation({
    mutationFn: async () =>
      editor.saveRule({
        path: { deploymentId: org.id },
        body: { definition: await parseRule(rule), test_target: code },
      }),
    onSuccess: ({ path, isNew }) =>
      notify(`${isNew ? 'Saved' : 'Updated'} the rule ${path}. Boards under Policies can add it from the library.`),
    onError: notifyProblem,
  });
  return (
    <PermissionGate permission="policy:manage">
      {(isDisabled) => (
        <Button disabled={isDisabled} loading={save.isPending} onClick={() => save.mutate()}>
          Save rule
        </Button>
      )}
    </PermissionGate>
  );
}
