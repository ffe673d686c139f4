import { VALIDATION_FAILED } from '#kernel/contract/common-faults.ts';
import { refuseFieldErrors } from '#kernel/contract/field-errors.ts';

/** Parses epoch seconds or an RFC 3339 time. */
export function parseSince(text: string): Date {
  const since = new Date(/^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : text);
  if (Number.isNaN(since.getTime()))
    refuseFieldErrors(VALIDATION_FAILED, [
      { pointer: '#/since', code: 'INVALID', detail: 'is neither seconds since 1970 nor an RFC 3339 time' },
    ]);
  return since;
}

/** True if a request selects findings. Empty lists and `include_historical`, which has no effect, are not filters. */
export const hasV1Filter = (body: object, otherMembers: readonly string[]): boolean =>
  Object.entries(body).some(
    ([name, value]: [string, unknown]) =>
      !otherMembers.includes(name) &&
      name !== 'include_historical' &&
      value !== undefined &&
      value !== '' &&
      !(Array.isArray(value) && value.length === 0),
  );
