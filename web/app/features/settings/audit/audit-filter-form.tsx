import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useRef } from 'react';
import { useShortcuts } from '#web/foundation/keys/use-shortcuts.ts';
import { useSettingsSearch } from '../parts/use-settings-search.ts';
import { AUDIT_FILTER_PARAMS, type AuditFilter } from './audit-filter.ts';

const OUTCOMES = [
  { value: '', label: 'any' },
  { value: 'success', label: 'success' },
  { value: 'refused', label: 'refused' },
];

/** The filter of the audit log; applying it stores it in the URL. */
export function AuditFilterForm({ filter }: { filter: AuditFilter }) {
  const { update } = useSettingsSearch();
  const first = useRef<HTMLInputElement>(null);
  useShortcuts({ filter: () => first.current?.focus() });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    update(Object.fromEntries(AUDIT_FILTER_PARAMS.map((name) => [name, String(form.get(name) ?? '').trim()])));
  };
  const clear = () => update(Object.fromEntries(AUDIT_FILTER_PARAMS.map((name) => [name, undefined])));
  const known = OUTCOMES.some(({ value }) => value === (filter.outcome ?? ''));
  const outcomes = known ? OUTCOMES : [...OUTCOMES, { value: filter.outcome ?? '', label: filter.outcome ?? '' }];
  return (
    <form className="audit-filter no-print" onSubmit={submit} aria-label="Filter">
      <TextInput ref={first} name="actor" label="Actor" placeholder="e-mail or token:12" defaultValue={filter.actor} />
      <TextInput
        name="operation"
        label="Operation"
        placeholder="TokenService.createToken"
        defaultValue={filter.operation}
      />
      <NativeSelect name="outcome" label="Outcome" data={outcomes} defaultValue={filter.outcome ?? ''} />
      <TextInput name="objectKind" label="Object type" placeholder="team" defaultValue={filter.objectKind} />
      <TextInput name="objectId" label="Object id" defaultValue={filter.objectId} />
      <TextInput name="since" type="date" label="From" defaultValue={filter.since} />
      <TextInput name="until" type="date" label="To, inclusive" defaultValue={filter.until} />
      <div className="settings-form-actions">
        <Button variant="default" onClick={clear}>
          Clear
        </Button>
        <Button type="submit">Apply</Button>
      </div>
    </form>
  );
}
