export interface Shortcut {
  /** In tinykeys syntax; the keys of a sequence are separated by spaces. */
  keys: string;
  label: string;
  group: 'Everywhere' | 'Go to' | 'Lists' | 'Findings' | 'Finding';
}

/** All keyboard shortcuts: the source of handlers, the shortcut dialog, tooltips and the reference page. */
export const SHORTCUTS = {
  palette: { keys: '$mod+k', label: 'Search and commands', group: 'Everywhere' },
  sheet: { keys: 'Shift+?', label: 'Keyboard shortcuts', group: 'Everywhere' },
  filter: { keys: '/', label: 'Focus the filter', group: 'Everywhere' },
  undo: { keys: 'z', label: 'Undo the last decision', group: 'Everywhere' },
  copyLink: { keys: 'u', label: 'Copy a link to this view', group: 'Everywhere' },
  export: { keys: 'e', label: 'Export the current view', group: 'Everywhere' },
  goInbox: { keys: 'g i', label: 'Inbox', group: 'Go to' },
  goFindings: { keys: 'g f', label: 'Findings', group: 'Go to' },
  goProjects: { keys: 'g p', label: 'Projects', group: 'Go to' },
  goDependencies: { keys: 'g d', label: 'Dependencies', group: 'Go to' },
  goOverview: { keys: 'g o', label: 'Overview', group: 'Go to' },
  goReports: { keys: 'g r', label: 'Reports', group: 'Go to' },
  goPolicies: { keys: 'g l', label: 'Policies', group: 'Go to' },
  goPlayground: { keys: 'g y', label: 'Playground', group: 'Go to' },
  goAutomations: { keys: 'g a', label: 'Automations', group: 'Go to' },
  goSettings: { keys: 'g s', label: 'Settings', group: 'Go to' },
  next: { keys: 'j', label: 'Next', group: 'Lists' },
  previous: { keys: 'k', label: 'Previous', group: 'Lists' },
  open: { keys: 'Enter', label: 'Open in the side panel', group: 'Lists' },
  openPage: { keys: 'o', label: 'Open as a page', group: 'Lists' },
  select: { keys: 'x', label: 'Select', group: 'Lists' },
  selectRange: { keys: 'Shift+x', label: 'Select range', group: 'Lists' },
  selectAll: { keys: '$mod+a', label: 'Select the page, then all matches', group: 'Lists' },
  back: { keys: 'Escape', label: 'Back', group: 'Lists' },
  done: { keys: 'd', label: 'Mark as done', group: 'Lists' },
  setOpen: { keys: '1', label: 'Open', group: 'Findings' },
  setReviewing: { keys: '2', label: 'Reviewing', group: 'Findings' },
  setFixing: { keys: '3', label: 'To fix', group: 'Findings' },
  ignoreFalsePositive: { keys: 'i f', label: 'Ignore: false positive', group: 'Findings' },
  ignoreAcceptableRisk: { keys: 'i r', label: 'Ignore: acceptable risk', group: 'Findings' },
  ignoreNoTime: { keys: 'i t', label: 'Ignore: no time', group: 'Findings' },
  ignoreWithComment: { keys: 'i c', label: 'Ignore with a comment', group: 'Findings' },
  assign: { keys: 'a', label: 'Assign…', group: 'Findings' },
  assignToMe: { keys: 'm', label: 'Assign to me', group: 'Findings' },
  agree: { keys: 'y', label: 'Agree with a provisional ignore', group: 'Findings' },
  disagree: { keys: 'n', label: 'Disagree with a provisional ignore', group: 'Findings' },
  comment: { keys: 'c', label: 'Write a comment', group: 'Findings' },
  submit: { keys: '$mod+Enter', label: 'Send', group: 'Findings' },
  nextStep: { keys: ']', label: 'Next step of the data flow', group: 'Finding' },
  previousStep: { keys: '[', label: 'Previous step of the data flow', group: 'Finding' },
} as const satisfies Record<string, Shortcut>;

export type ShortcutName = keyof typeof SHORTCUTS;

const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The keys of a shortcut as they are labelled on a keyboard. */
export function keycapsOf(name: ShortcutName): string[] {
  return SHORTCUTS[name].keys.split(' ').map((press) =>
    press
      .replace('Shift+?', '?')
      .split('+')
      .map((part) => (part === '$mod' ? (isMac ? '⌘' : 'Ctrl') : part === 'Shift' ? '⇧' : part))
      .map((part) => (part.length === 1 && press.includes('+') ? part.toUpperCase() : part))
      .join(isMac ? '' : ' '),
  );
}

/** Whether the shortcut works without a modifier: users can turn these off (WCAG 2.1.4). */
export const isSingleKey = (name: ShortcutName): boolean => !SHORTCUTS[name].keys.includes('$mod');
