export const SCAN_STATUS_LABELS = {
  SCAN_STATUS_RUNNING: 'Running',
  SCAN_STATUS_COMPLETED: 'Completed',
  SCAN_STATUS_PENDING: 'Waiting',
  SCAN_STATUS_CANCELLED: 'Cancelled',
  SCAN_STATUS_ERROR: 'Failed',
  SCAN_STATUS_NEVER_FINISHED: 'Never finished',
} as const;

export const SCAN_PRODUCT_LABELS: Record<string, string> = {
  PRODUCT_SAST: 'code',
  PRODUCT_SCA: 'dependencies',
  PRODUCT_SECRETS: 'secrets',
  PRODUCT_AI_SAST: 'code by AI',
};
