import { useSettingsSearch } from '../parts/use-settings-search.ts';
import { TeamList } from './team-list.tsx';
import { TeamPage } from './team-page.tsx';
import './teams.css';

/** The tree of teams, or the one that the address names. */
export function TeamsSection() {
  const { item } = useSettingsSearch();
  return item === undefined ? <TeamList /> : <TeamPage key={item} teamId={item} />;
}
