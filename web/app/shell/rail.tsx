import { ActionIcon, Menu, Tooltip, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import {
  Bookmark,
  Check,
  ChevronsUpDown,
  CircleHelp,
  Keyboard,
  LogOut,
  Monitor,
  Moon,
  Rocket,
  Search,
  Sun,
  UserRound,
} from 'lucide-react';
import { savedViewsQuery } from '#web/foundation/api/saved-view-queries.ts';
import { useSession } from '#web/foundation/api/session.ts';
import { Keycaps } from '#web/foundation/keys/keycaps.tsx';
import { orgsQuery, useOrg } from '#web/foundation/session/org.ts';
import { parseSearch } from '#web/foundation/url/search-params.ts';
import { NAVIGATION } from './navigation.ts';
import './rail.css';
import { signOut } from '#web/foundation/session/sign-out.ts';

const SCHEMES = [
  ['auto', 'System', Monitor],
  ['light', 'Light', Sun],
  ['dark', 'Dark', Moon],
] as const;

interface RailProps {
  onSearch: () => void;
  onShortcuts: () => void;
}

/** The navigation rail: organization, pages, help and account menu. */
export function Rail({ onSearch, onShortcuts }: RailProps) {
  const org = useOrg();
  return (
    <nav className="rail no-print" aria-label="Main">
      <OrgMenu />
      <UnstyledButton className="rail-search" title="Search" onClick={onSearch}>
        <Search size={16} aria-hidden="true" /> <span>Search</span> <Keycaps name="palette" />
      </UnstyledButton>
      <ul className="rail-pages">
        {NAVIGATION.map(({ name, path, key, icon: Icon, isOnPhone }) => (
          <li key={path} data-phone={isOnPhone}>
            <Tooltip label={<Keycaps name={key} />} position="right">
              <Link to={`/o/$slug/${path}` as '/o/$slug/inbox'} params={{ slug: org.slug }} className="rail-link">
                <Icon size={18} aria-hidden="true" />
                <span>{name}</span>
              </Link>
            </Tooltip>
          </li>
        ))}
      </ul>
      <PinnedViews />
      <div className="rail-foot">
        <HelpMenu onShortcuts={onShortcuts} />
        <AccountMenu />
      </div>
    </nav>
  );
}

/** The saved views that the person has pinned. */
function PinnedViews() {
  const org = useOrg();
  const { data: views = [] } = useQuery(savedViewsQuery(org.id));
  const pinned = views.filter(({ isPinned }) => isPinned);
  if (pinned.length === 0) return null;
  return (
    <section className="rail-views" aria-labelledby="rail-views">
      <h2 id="rail-views">Views</h2>
      <ul>
        {pinned.map(({ id, name, search }) => (
          <li key={id}>
            <Link
              to="/o/$slug/findings"
              params={{ slug: org.slug }}
              search={parseSearch(search)}
              activeProps={{}}
              className="rail-link"
              title={name}
            >
              <Bookmark size={16} aria-hidden="true" />
              <span>{name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function OrgMenu() {
  const org = useOrg();
  const navigate = useNavigate();
  const { data: orgs = [] } = useQuery(orgsQuery);
  return (
    <Menu position="bottom-start" width={240}>
      <Menu.Target>
        <UnstyledButton className="rail-org" aria-label={`Organization ${org.name}, switch`}>
          <img src="/assets/icon.svg" alt="" width={22} height={22} />
          <span>{org.name}</span>
          <ChevronsUpDown size={14} aria-hidden="true" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Organizations</Menu.Label>
        {orgs.map(({ id, slug, name }) => (
          <Menu.Item
            key={id}
            aria-current={id === org.id}
            onClick={() => void navigate({ to: '/o/$slug/inbox', params: { slug } })}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function HelpMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const org = useOrg();
  return (
    <Menu position="right-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Help">
          <CircleHelp size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Keyboard size={16} />} onClick={onShortcuts}>
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Item
          leftSection={<Rocket size={16} />}
          renderRoot={(props) => <Link to="/o/$slug/start" params={{ slug: org.slug }} {...props} />}
        >
          Getting started
        </Menu.Item>
        <Menu.Item component="a" href="/docs/api">
          API
        </Menu.Item>
        <Menu.Item component="a" href="/docs/errors">
          Error reference
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function AccountMenu() {
  const org = useOrg();
  const session = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const user = session.kind === 'signed-in' ? session.user : undefined;
  const initials = (user?.name ?? '?')
    .split(' ')
    .map((word) => word.charAt(0))
    .join('')
    .slice(0, 2)
    .toUpperCase();
  return (
    <Menu position="right-end" width={220}>
      <Menu.Target>
        <UnstyledButton className="rail-account" title="Your menu">
          <span className="rail-initials" aria-hidden="true">
            {initials}
          </span>
          <span className="rail-account-name">{user?.name}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user?.email}</Menu.Label>
        {SCHEMES.map(([scheme, name, Icon]) => (
          <Menu.RadioItem
            key={scheme}
            value={scheme}
            checked={colorScheme === scheme}
            checkIcon={<Check size={14} aria-hidden="true" />}
            rightSection={<Icon size={16} aria-hidden="true" />}
            onChange={() => setColorScheme(scheme)}
            closeMenuOnClick
          >
            {name}
          </Menu.RadioItem>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<UserRound size={16} />}
          renderRoot={(props) => (
            <Link
              to="/o/$slug/settings/{-$section}/{-$item}"
              params={{ slug: org.slug, section: 'account' }}
              {...props}
            />
          )}
        >
          Your account
        </Menu.Item>
        <Menu.Item leftSection={<LogOut size={16} />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
