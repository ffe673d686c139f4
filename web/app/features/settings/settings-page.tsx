import { getRouteApi } from '@tanstack/react-router';
import { type FunctionComponent, lazy, Suspense } from 'react';
import { useOrg } from '#web/foundation/session/org.ts';
import { Page } from '#web/ui/page/page.tsx';
import { EmptyState, LoadingRows } from '#web/ui/page/view-states.tsx';
import { SettingsIndex, SettingsNav } from './settings-nav.tsx';
import { SETTINGS_SECTIONS, type SettingsSectionPath } from './settings-sections.ts';
import './settings.css';
import { useLiveSettings } from './use-live-settings.ts';

const route = getRouteApi('/o/$slug/settings/{-$section}/{-$item}');

const section = <Name extends string>(load: () => Promise<Record<Name, FunctionComponent>>, name: Name) =>
  lazy(async () => ({ default: (await load())[name] }));

const SECTIONS: Record<SettingsSectionPath, FunctionComponent> = {
  teams: section(() => import('./teams/teams-section.tsx'), 'TeamsSection'),
  people: section(() => import('./people/people-section.tsx'), 'PeopleSection'),
  access: section(() => import('./people/access-section.tsx'), 'AccessSection'),
  tokens: section(() => import('./tokens/tokens-section.tsx'), 'TokensSection'),
  'keyless-ci': section(() => import('./keyless-ci/keyless-section.tsx'), 'KeylessSection'),
  products: section(() => import('./products/products-section.tsx'), 'ProductsSection'),
  integrations: section(() => import('./integrations/integrations-section.tsx'), 'IntegrationsSection'),
  'sign-in': section(() => import('./sign-in/sign-in-section.tsx'), 'SignInSection'),
  provisioning: section(() => import('./provisioning/provisioning-section.tsx'), 'ProvisioningSection'),
  partner: section(() => import('./partner/partner-section.tsx'), 'PartnerSection'),
  audit: section(() => import('./audit/audit-section.tsx'), 'AuditSection'),
  system: section(() => import('./system/system-section.tsx'), 'SystemSection'),
  notifications: section(() => import('./notifications/notifications-section.tsx'), 'NotificationsSection'),
  account: section(() => import('./account/account-section.tsx'), 'AccountSection'),
  appearance: section(() => import('./appearance/appearance-section.tsx'), 'AppearanceSection'),
};

/** The settings: a searchable list of pages, and the open page. */
export function SettingsPage() {
  const { section: path } = route.useParams();
  useLiveSettings();
  return (
    <div className="settings">
      <SettingsNav current={path} />
      <div className="settings-main">
        {path === undefined ? <SettingsIndex /> : <CurrentSection key={path} path={path} />}
      </div>
    </div>
  );
}

function CurrentSection({ path }: { path: string }) {
  const org = useOrg();
  const current = SETTINGS_SECTIONS.find((section) => section.path === path);
  if (!current)
    return (
      <Page title="Settings">
        <EmptyState title="This settings page does not exist" why="Choose a page from the list." />
      </Page>
    );
  if (!org.may(current.permission))
    return (
      <Page title={current.name}>
        <EmptyState
          title="You do not have access to this page"
          why={`It requires the permission ${current.permission}. Ask an administrator of ${org.name}.`}
        />
      </Page>
    );
  const Section = SECTIONS[current.path];
  return (
    <Suspense
      fallback={
        <Page title={current.name}>
          <LoadingRows />
        </Page>
      }
    >
      <Section />
    </Suspense>
  );
}
