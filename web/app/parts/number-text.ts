const whole = new Intl.NumberFormat('en-GB');

/** A number as people read it, its thousands apart. */
export const numberText = (value: number): string => whole.format(value);
