import type { LoadedTeam } from './queries.ts';
import type { TeamEdits } from './team-edits.ts';

/** The props of the tabs of a team page. */
export interface TeamTabProps {
  /** The team as loaded. */
  loaded: LoadedTeam;
  /** The unsaved edits. */
  edits: TeamEdits;
  canManage: boolean;
  onEdit: (edits: TeamEdits) => void;
}
