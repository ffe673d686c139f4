import type { Fault, FaultExtras, FieldError } from './fault.ts';

/** A fault whose sentence has the slots `{count}` and `{first}`. */
type FieldErrorsFault = (details: { count: string; first: string }, extras: FaultExtras) => Fault;

/** The number of errors in words, for the slot `{count}`. */
export const errorCountText = ({ length }: readonly FieldError[]): string =>
  length === 1 ? '1 error' : `${length} errors`;

/** The fault for a request with field errors: it counts all of them and lists at most `maxListed`. */
export function fieldErrorsFault(
  fault: FieldErrorsFault,
  errors: readonly FieldError[],
  maxListed = errors.length,
): Fault {
  const [first] = errors;
  return fault(
    { count: errorCountText(errors), first: first ? `${first.pointer} ${first.detail}` : '' },
    { errors: errors.slice(0, maxListed) },
  );
}

/** Throws the fault if there is any error. */
export function refuseFieldErrors(fault: FieldErrorsFault, errors: readonly FieldError[], maxListed?: number): void {
  if (errors.length > 0) throw fieldErrorsFault(fault, errors, maxListed);
}
