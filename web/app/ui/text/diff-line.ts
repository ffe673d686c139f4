/** A line of a diff. */
export interface DiffLine {
  kind: 'same' | 'removed' | 'added';
  text: string;
}
