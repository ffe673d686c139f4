const whole = new Intl.NumberFormat('en-GB');

/** Formats an integer with thousands separators. */
export const formatNumber = (value: number): string => whole.format(value);
