import { useSettingsSearch } from '../parts/use-settings-search.ts';
import { TeamList } from './team-list.tsx';
import { TeamPage } from './team-page.tsx';
import './teams.css';

/** The tree of teams, or the team in the URL. */
export function TeamsSection() {
  const { item } = useSettingsSearch();
  return item === undefined ? <TeamList /> : <TeamPage key={item} teamId={item} />;
}
