/** A line of a change. */
export interface DiffLine {
  kind: 'same' | 'removed' | 'added';
  text: string;
}
