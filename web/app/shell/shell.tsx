import { Outlet, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { KeySheet } from '#web/keys/sheet.tsx';
import { useKeys } from '#web/keys/use-keys.ts';
import { useOrg } from '#web/org/org.ts';
import { copy } from '#web/parts/copy.ts';
import { TimeStyle } from '#web/parts/when.tsx';
import { UploadDrop } from '#web/upload/drop.tsx';
import { DemoBanner } from './demo-banner.tsx';
import { useLiveEvents } from './live.ts';
import { openPalette, Palette } from './palette.tsx';
import { PLACES } from './places.ts';
import { Rail } from './rail.tsx';
import './shell.css';
import { undoLast } from './undo.tsx';

/** What surrounds every page of an organization: the rail, the palette, the keys, and the place to drop reports. */
export function Shell() {
  const org = useOrg();
  const navigate = useNavigate();
  const [areKeysShown, setAreKeysShown] = useState(false);
  const [isTurned, setIsTurned] = useState(false);
  useLiveEvents();
  const go = (path: string) => () => void navigate({ to: `/o/${org.slug}/${path}` as '/' });
  useKeys({
    ...Object.fromEntries(PLACES.map(({ key, path }) => [key, go(path)])),
    palette: openPalette,
    sheet: () => setAreKeysShown(true),
    undo: undoLast,
    copyLink: () => void copy(location.href, 'Link'),
  });
  return (
    <TimeStyle value={{ isTurned, toggle: () => setIsTurned((before) => !before) }}>
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <div className="shell">
        <Rail onSearch={openPalette} onKeys={() => setAreKeysShown(true)} />
        <main id="main" className="shell-main" tabIndex={-1}>
          <DemoBanner />
          <Outlet />
        </main>
      </div>
      <Palette />
      <KeySheet isOpen={areKeysShown} onClose={() => setAreKeysShown(false)} />
      <UploadDrop />
    </TimeStyle>
  );
}
