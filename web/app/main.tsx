import '#web/foundation/theme/styles.ts';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from '#web/foundation/api/query-client.ts';
import { syncSessionAcrossTabs } from '#web/foundation/api/sync-session.ts';
import { theme } from '#web/foundation/theme/theme.ts';
import { router } from '#web/shell/router.tsx';

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
// The library that locks scrolling behind a dialog injects its own style element, which needs the nonce.
setNonce(nonce);
const schemes = localStorageColorSchemeManager({ key: 'parapet-color-scheme' });
const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root element.');

syncSessionAcrossTabs();
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} colorSchemeManager={schemes} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" limit={4} />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
