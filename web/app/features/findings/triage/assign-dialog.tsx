import { Select } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { deployments } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { Dialog } from '#web/ui/dialog/dialog.tsx';
import { emptyResultMessage } from '#web/ui/picker/empty-result-message.ts';
import { type Assignee, NOBODY } from '../model/decision.ts';
import { closeAssignDialog, ownAssignee, useOpenAssignDialog } from './assign-store.ts';

const MAX_PEOPLE = 8;
/** All of them without a scroll bar. */
const MAX_HEIGHT_PX = 420;
/** A value of its own, because a select takes an empty value for none. */
const NOBODY_VALUE = 'nobody';

/** Asks to whom findings are assigned, while a page has opened it. */
export function AssignDialog() {
  const pick = useOpenAssignDialog();
  return pick === undefined ? null : <OpenAssignDialog onPick={pick} />;
}

interface Person extends Assignee {
  label: string;
}

function OpenAssignDialog({ onPick }: { onPick: (assignee: Assignee) => void }) {
  const { id: deploymentId } = useOrg();
  const [text, setText] = useState('');
  const query = useDeferredValue(text.trim());
  const found = useQuery({
    queryKey: [deploymentId, 'people', query],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Person[]> => {
      const body = { options: { pageSize: MAX_PEOPLE }, filters: { query } };
      const { users } = await deployments.listDeploymentUsers({ path: { deploymentId }, body }, { signal });
      return users.map(({ id, name, email }) => ({ id, name, label: name === email ? email : `${name} (${email})` }));
    },
  });
  const me = ownAssignee();
  const isTyped = text.trim() !== '';
  const others = (found.data ?? []).filter(({ id }) => isTyped || id !== me.id);
  const people: Person[] = isTyped
    ? others
    : [{ ...me, label: `Me (${me.name})` }, { id: NOBODY_VALUE, name: NOBODY.name, label: 'Nobody' }, ...others];
  const choose = (id: string | null) => {
    const person = people.find((one) => one.id === id);
    if (!person) return;
    closeAssignDialog();
    onPick(person.id === NOBODY_VALUE ? NOBODY : { id: person.id, name: person.name });
  };
  return (
    <Dialog onClose={closeAssignDialog} title="Assign to" size="sm">
      <Select
        label="Person"
        description="A person sees only what their teams can see."
        placeholder="Search by name or e-mail"
        data-autofocus
        searchable
        defaultDropdownOpened
        selectFirstOptionOnChange
        maxDropdownHeight={MAX_HEIGHT_PX}
        searchValue={text}
        onSearchChange={setText}
        filter={({ options }) => options}
        data={people.map(({ id, label }) => ({ value: id, label }))}
        value={null}
        nothingFoundMessage={emptyResultMessage(found)}
        onChange={choose}
      />
    </Dialog>
  );
}
