import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { deployments } from '#web/foundation/api/services.ts';
import { ORG_ROLE_LABELS } from '#web/foundation/format/labels.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { Dialog } from '#web/ui/dialog/dialog.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { FormProblem, fieldErrorsOf } from '../parts/form-problem.tsx';
import { ASSIGNABLE_ROLES, type OrgRole, peopleKey } from './queries.ts';

/** Invites one person with a name and a role. */
export function AddPerson({ onClose }: { onClose: () => void }) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState<OrgRole | ''>('');
  const body = {
    email: email.trim(),
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(role !== '' && { role }),
  };
  const adding = useMutation({
    mutationFn: () => deployments.addDeploymentUser({ path: { deploymentId }, body }),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: peopleKey(deploymentId) }),
  });
  if (adding.data) return <PersonInvited email={body.email} link={adding.data.invitationLink} onClose={onClose} />;
  const errors = fieldErrorsOf(adding.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    adding.mutate();
  };
  return (
    <Dialog onClose={onClose} title="Add a person" size="lg">
      <form className="settings-form" onSubmit={submit}>
        <FormProblem error={adding.error} />
        <TextInput
          label="E-mail address"
          type="email"
          required
          data-autofocus
          value={email}
          error={errors['email']}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <TextInput
          label="Name"
          description="They can change it when they accept."
          value={name}
          error={errors['name']}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <NativeSelect
          label="Role"
          data={[
            { value: '', label: 'Default role of the organization' },
            ...ASSIGNABLE_ROLES.map((value) => ({ value, label: ORG_ROLE_LABELS[value] ?? value })),
          ]}
          value={role}
          error={errors['role']}
          onChange={(event) => setRole(event.currentTarget.value as OrgRole | '')}
        />
        <div className="settings-form-actions">
          <CopyAsMenu operationId="DeploymentService_AddDeploymentUser" input={{ path: { deploymentId }, body }} />
          <Button type="submit" loading={adding.isPending}>
            Add
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface PersonInvitedProps {
  email: string;
  /** Only if the server sends no mail. */
  link: string | undefined;
  onClose: () => void;
}

function PersonInvited({ email, link, onClose }: PersonInvitedProps) {
  return (
    <Dialog onClose={onClose} title="Add a person" size="lg" closeOnClickOutside={link === undefined}>
      <div className="settings-form">
        <div className="settings-note" data-kind={link === undefined ? 'good' : 'warn'} role="status">
          {link === undefined
            ? `An invitation is sent to ${email}.`
            : `This server sends no mail: give this link to ${email}. It is not shown again.`}
        </div>
        {link !== undefined && <CodeBlock text={link} label={`link for ${email}`} />}
        <div className="settings-form-actions">
          <Button onClick={onClose}>Done</Button>
        </div>
      </div>
    </Dialog>
  );
}
