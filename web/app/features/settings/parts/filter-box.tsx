import { CloseButton, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useShortcuts } from '#web/foundation/keys/use-shortcuts.ts';
import { useSettingsSearch } from './use-settings-search.ts';

/** Narrows a list by a text, which is kept in the address. */
export function FilterBox({ label }: { label: string }) {
  const { search, put } = useSettingsSearch();
  const [text, setText] = useState(search.q ?? '');
  const sent = useRef(search.q ?? '');
  const input = useRef<HTMLInputElement>(null);
  useShortcuts({ filter: () => input.current?.focus() });
  useEffect(() => {
    // What was typed here comes back late: only what others put into the address replaces the text.
    if ((search.q ?? '') === sent.current) return;
    sent.current = search.q ?? '';
    setText(sent.current);
  }, [search.q]);
  const type = (next: string) => {
    sent.current = next;
    setText(next);
    put({ q: next }, true);
  };
  return (
    <TextInput
      ref={input}
      className="settings-filter"
      aria-label={label}
      placeholder={label}
      leftSection={<Search size={16} aria-hidden="true" />}
      rightSection={text === '' ? null : <CloseButton aria-label="Clear the filter" onClick={() => type('')} />}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.currentTarget.blur();
      }}
    />
  );
}
