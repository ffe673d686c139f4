import { CloseButton, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useShortcuts } from '#web/foundation/keys/use-shortcuts.ts';
import { useSettingsSearch } from './use-settings-search.ts';

/** A text filter for a list, stored in the URL. */
export function FilterBox({ label }: { label: string }) {
  const { search, update } = useSettingsSearch();
  const [text, setText] = useState(search.q ?? '');
  const sent = useRef(search.q ?? '');
  const input = useRef<HTMLInputElement>(null);
  useShortcuts({ filter: () => input.current?.focus() });
  useEffect(() => {
    // The URL lags behind typing, so it replaces the text only if something else changed it.
    if ((search.q ?? '') === sent.current) return;
    sent.current = search.q ?? '';
    setText(sent.current);
  }, [search.q]);
  const type = (next: string) => {
    sent.current = next;
    setText(next);
    update({ q: next }, true);
  };
  return (
    <TextInput
      ref={input}
      className="settings-filter"
      aria-label={label}
      placeholder={label}
      leftSection={<Search size={16} aria-hidden="true" />}
      rightSection={text === '' ? null : <CloseButton aria-label="Clear filter" onClick={() => type('')} />}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.currentTarget.blur();
      }}
    />
  );
}
