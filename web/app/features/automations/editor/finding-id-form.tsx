import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';

interface FindingIdFormProps {
  isBusy: boolean;
  onSubmit: (findingId: string) => void;
}

/** Asks for the id of a finding, with or without its prefix. */
export function FindingIdForm({ isBusy, onSubmit }: FindingIdFormProps) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The editor is a form itself, and events of React bubble through portals too.
    event.stopPropagation();
    const [, id] = /^\s*(?:ISS-)?(\d{1,19})\s*$/i.exec(text) ?? [];
    setError(id === undefined ? 'Enter the id of a finding, such as ISS-4821.' : undefined);
    if (id !== undefined) onSubmit(id);
  };
  return (
    <form className="automation-try" onSubmit={submit}>
      <TextInput
        label="Try on a finding"
        placeholder="ISS-4821"
        value={text}
        error={error}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={isBusy}>
        Try
      </Button>
    </form>
  );
}
