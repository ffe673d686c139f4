import semver from 'semver';
import { createVersionOrder } from './version-order.ts';

const SHORT = /^v?(\d+)(\.\d+)?(\.\d+)?((?:[-+].*)?)$/;

/** Semantic versions, with or without a `v` before them; `1` and `1.2` are `1.0.0` and `1.2.0`. */
export const semantic = createVersionOrder(
  (text) => {
    const [, major, minor = '.0', patch = '.0', rest = ''] = SHORT.exec(text) ?? [];
    return major === undefined ? undefined : (semver.parse(`${major}${minor}${patch}${rest}`, true) ?? undefined);
  },
  (one, other) => one.compare(other),
);
