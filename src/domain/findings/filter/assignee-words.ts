/** Filters and requests name the caller and nobody by these words. */
export const ASSIGNEE_ME = 'me';
export const ASSIGNEE_NONE = 'none';
