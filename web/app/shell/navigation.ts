import {
  Activity,
  Boxes,
  FlaskConical,
  FolderGit2,
  Gauge,
  Inbox,
  type LucideIcon,
  Package,
  ScrollText,
  Settings,
  ShieldAlert,
  Workflow,
} from 'lucide-react';
import type { ShortcutName } from '#web/foundation/keys/shortcuts.ts';

export interface NavigationItem {
  name: string;
  path: string;
  key: ShortcutName;
  icon: LucideIcon;
  /** Shown in the bottom bar on small screens. */
  isOnPhone?: boolean;
}

/** The entries of the navigation rail. */
export const NAVIGATION: readonly NavigationItem[] = [
  { name: 'Inbox', path: 'inbox', key: 'goInbox', icon: Inbox, isOnPhone: true },
  { name: 'Findings', path: 'findings', key: 'goFindings', icon: ShieldAlert, isOnPhone: true },
  { name: 'Projects', path: 'projects', key: 'goProjects', icon: FolderGit2, isOnPhone: true },
  { name: 'Dependencies', path: 'dependencies', key: 'goDependencies', icon: Package },
  { name: 'Overview', path: 'overview', key: 'goOverview', icon: Gauge, isOnPhone: true },
  { name: 'Reports', path: 'reports/guardrails', key: 'goReports', icon: Activity },
  { name: 'Policies', path: 'policies', key: 'goPolicies', icon: ScrollText },
  { name: 'Playground', path: 'playground', key: 'goPlayground', icon: FlaskConical },
  { name: 'Automations', path: 'automations', key: 'goAutomations', icon: Workflow },
  { name: 'Settings', path: 'settings', key: 'goSettings', icon: Settings },
];

export const START_PAGE = { name: 'Getting started', path: 'start', icon: Boxes } as const;
