export interface MarkPosition {
  bucket: number;
  series: number;
}

const STEPS: Record<string, (position: MarkPosition, last: MarkPosition) => MarkPosition> = {
  ArrowLeft: ({ bucket, series }) => ({ bucket: bucket - 1, series }),
  ArrowRight: ({ bucket, series }) => ({ bucket: bucket + 1, series }),
  ArrowUp: ({ bucket, series }) => ({ bucket, series: series + 1 }),
  ArrowDown: ({ bucket, series }) => ({ bucket, series: series - 1 }),
  Home: ({ series }) => ({ bucket: 0, series }),
  End: ({ series }, last) => ({ bucket: last.bucket, series }),
};

const within = (value: number, last: number) => Math.max(0, Math.min(last, value));

/** The mark that a key moves to: along the time axis or within the stack; undefined for other keys. */
export function moveByKey(key: string, from: MarkPosition, { buckets, series }: { buckets: number; series: number }) {
  const step = Object.hasOwn(STEPS, key) ? STEPS[key] : undefined;
  const last = { bucket: buckets - 1, series: series - 1 };
  const position = step?.(from, last);
  return position && { bucket: within(position.bucket, last.bucket), series: within(position.series, last.series) };
}
