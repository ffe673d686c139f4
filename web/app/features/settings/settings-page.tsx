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
  products: section(() => import('./products/products-section.tsx'), 'ProductsSection'),
  'sign-in': section(() => import('./sign-in/sign-in-section.tsx'), 'SignInSection'),
  partner: section(() => import('./partner/partner-section.tsx'), 'PartnerSection'),
  audit: section(() => import('./audit/audit-section.tsx'), 'AuditSection'),
  system: section(() => import('./system/system-section.tsx'), 'SystemSection'),
  appearance: section(() => import('./appearance/appearance-section.tsx'), 'AppearanceSection'),
};

/** The pages of the settings: a list of them that can be searched, and the one that is open. */
export function SettingsPage() {
  const { section: path } = route.useParams();
  useLiveSettings();
  return (
    <div className="settings">
      <SettingsNav current={path} />
      <div className="settings-main">
        {path === undefined ? <SettingsIndex /> : <OpenSection key={path} path={path} />}
      </div>
    </div>
  );
}

function OpenSection({ path }: { path: string }) {
  const org = useOrg();
  const place = SETTINGS_SECTIONS.find((one) => one.path === path);
  if (!place)
    return (
      <Page title="Settings">
        <EmptyState title="There is no such settings page" why="Choose one from the list, or search in it." />
      </Page>
    );
  if (!org.may(place.permission))
    return (
      <Page title={place.name}>
        <EmptyState
          title="You may not see this page"
          why={`${place.about} It needs the permission ${place.permission}: ask an administrator of ${org.name}.`}
        />
      </Page>
    );
  const Section = SECTIONS[place.path];
  return (
    <Suspense
      fallback={
        <Page title={place.name}>
          <LoadingRows />
        </Page>
      }
    >
      <Section />
    </Suspense>
  );
}
