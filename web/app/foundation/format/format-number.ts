const whole = new Intl.NumberFormat('en-GB');

/** A number as people read it, its thousands apart. */
export const formatNumber = (value: number): string => whole.format(value);
