import { createTheme } from '@mantine/core';

/** Colors that meet WCAG 2.2 AA contrast in both color schemes; the rest are in `design-tokens.css`. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: '650' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Optional fields say so in their label; all others are required.
    InputWrapper: { defaultProps: { withAsterisk: false } },
    Button: { defaultProps: { size: 'sm' } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 250, events: { hover: true, focus: true, touch: true } } },
    // Focus the first item: ARIA does not allow the focus placeholder as a child of a menu.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Modal: { defaultProps: { centered: true, closeButtonProps: { 'aria-label': 'Close' } } },
    Drawer: { defaultProps: { position: 'right', closeButtonProps: { 'aria-label': 'Close' } } },
  },
});
