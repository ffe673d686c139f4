import type { UserSettings } from './contract.ts';

export type TourStateName = UserSettings['findingsTourState'];

/** Tours that have their own settings member, with the name under which they are stored. */
export const NAMED_TOURS = {
  findingsTourState: 'FINDINGS',
  supplyChainTourState: 'SUPPLY_CHAIN',
  supplyChainFindingsTourState: 'SUPPLY_CHAIN_FINDINGS',
} as const;

export interface UserSettingsChange {
  hasCompletedFindingsTour?: boolean | undefined;
  hasCompletedSupplyChainTour?: boolean | undefined;
  findingsTourState?: TourStateName | undefined;
  supplyChainTourState?: TourStateName | undefined;
  supplyChainFindingsTourState?: TourStateName | undefined;
  tourStates?: { id: string; state: TourStateName }[] | undefined;
}

const stateOf = (hasCompleted: boolean): TourStateName =>
  hasCompleted ? 'TOUR_STATE_COMPLETE' : 'TOUR_STATE_INCOMPLETE';

/** The tours that a change sets. The older boolean members apply only if no state is given. */
export function changedTours(change: UserSettingsChange): Map<string, TourStateName> {
  const tours = new Map<string, TourStateName>();
  if (change.hasCompletedFindingsTour !== undefined) tours.set('FINDINGS', stateOf(change.hasCompletedFindingsTour));
  if (change.hasCompletedSupplyChainTour !== undefined)
    tours.set('SUPPLY_CHAIN', stateOf(change.hasCompletedSupplyChainTour));
  for (const [member, tour] of Object.entries(NAMED_TOURS) as [keyof typeof NAMED_TOURS, string][]) {
    const state = change[member];
    if (state !== undefined) tours.set(tour, state);
  }
  for (const { id, state } of change.tourStates ?? []) tours.set(id, state);
  return tours;
}
