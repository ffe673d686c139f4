import { Outlet, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useLiveEventStream } from '#web/foundation/events/live-events.ts';
import { ShortcutDialog } from '#web/foundation/keys/shortcut-dialog.tsx';
import { useShortcuts } from '#web/foundation/keys/use-shortcuts.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { copyAndNotify } from '#web/ui/clipboard/clipboard.ts';
import { TimeFormatContext } from '#web/ui/text/relative-time.tsx';
import { UploadDrop } from '#web/ui/upload/upload-drop.tsx';
import { DemoBanner } from './demo-banner.tsx';
import { NAVIGATION } from './navigation.ts';
import { openPalette, Palette } from './palette.tsx';
import { Rail } from './rail.tsx';
import { SystemBanner } from './system-banner.tsx';
import './shell.css';
import { undoLast } from '#web/foundation/notify/notify-with-undo.tsx';

/** The layout of every organization page: navigation, command palette, shortcuts and report drop zone. */
export function Shell() {
  const org = useOrg();
  const navigate = useNavigate();
  const [areShortcutsShown, setAreShortcutsShown] = useState(false);
  const [isToggled, setIsToggled] = useState(false);
  useLiveEventStream();
  const go = (path: string) => () => void navigate({ to: `/o/${org.slug}/${path}` as '/' });
  useShortcuts({
    ...Object.fromEntries(NAVIGATION.map(({ key, path }) => [key, go(path)])),
    palette: openPalette,
    sheet: () => setAreShortcutsShown(true),
    undo: undoLast,
    copyLink: () => void copyAndNotify(location.href, 'Link'),
  });
  return (
    <TimeFormatContext value={{ isToggled, toggle: () => setIsToggled((before) => !before) }}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <div className="shell">
        <Rail onSearch={openPalette} onShortcuts={() => setAreShortcutsShown(true)} />
        <main id="main" className="shell-main" tabIndex={-1}>
          <SystemBanner />
          <DemoBanner />
          <Outlet />
        </main>
      </div>
      <Palette />
      <ShortcutDialog isOpen={areShortcutsShown} onClose={() => setAreShortcutsShown(false)} />
      <UploadDrop />
    </TimeFormatContext>
  );
}
