import { NativeSelect, TextInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { Lock, Search } from 'lucide-react';
import { useState } from 'react';
import { useOrg } from '#web/foundation/session/org.ts';
import { Page } from '#web/ui/page/page.tsx';
import { SETTINGS_SECTIONS, type SettingsSection, searchSections } from './settings-sections.ts';

const ROUTE = '/o/$slug/settings/{-$section}/{-$item}';

/** The list of settings pages; a select on small screens. */
export function SettingsNav({ current }: { current: string | undefined }) {
  const { slug } = useOrg();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const sections = searchSections(text);
  const go = (section: string) =>
    void navigate({ to: ROUTE, params: { slug, section: section === '' ? undefined : section, item: undefined } });
  return (
    <nav className="settings-nav no-print" aria-label="Settings">
      <NativeSelect
        className="settings-nav-select"
        aria-label="Settings page"
        value={current ?? ''}
        data={[
          { value: '', label: 'All settings' },
          ...SETTINGS_SECTIONS.map(({ name, path }) => ({ value: path, label: name })),
        ]}
        onChange={(event) => go(event.currentTarget.value)}
      />
      <div className="settings-nav-list">
        <TextInput
          aria-label="Find a settings page"
          placeholder="Find"
          leftSection={<Search size={16} aria-hidden="true" />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            const [first] = sections;
            if (event.key === 'Enter' && first) go(first.path);
          }}
        />
        <ul>
          {sections.map((section) => (
            <li key={section.path}>
              <SectionLink section={section} />
            </li>
          ))}
        </ul>
        <p role="status" className="dimmed">
          {sections.length === 0 ? 'No matching page.' : ''}
        </p>
      </div>
    </nav>
  );
}

function SectionLink({ section: { name, path, permission } }: { section: SettingsSection }) {
  const org = useOrg();
  return (
    <Link to={ROUTE} params={{ slug: org.slug, section: path, item: undefined }} className="settings-link">
      {name}
      {!org.may(permission) && <Lock size={14} role="img" aria-label="requires a permission that you do not have" />}
    </Link>
  );
}

/** All settings pages with their descriptions. */
export function SettingsIndex() {
  return (
    <Page title="Settings">
      <ul className="settings-index">
        {SETTINGS_SECTIONS.map((section) => (
          <li key={section.path}>
            <SectionLink section={section} />
            <p className="dimmed">{section.description}</p>
          </li>
        ))}
      </ul>
    </Page>
  );
}
