import { Resolver } from 'node:dns/promises';

/** Reads the TXT records of a name, each in its parts; none if the name has none. */
export type ResolveTxt = (name: string) => Promise<readonly (readonly string[])[]>;

const ABSENT = ['ENOTFOUND', 'ENODATA'];

/** Asks the name servers of the system, and no cache, because people wait for a record that they have just added. */
export const resolveTxtBySystem: ResolveTxt = async (name) => {
  const resolver = new Resolver({ timeout: 3000, tries: 2 });
  try {
    return await resolver.resolveTxt(name);
  } catch (error) {
    if (ABSENT.includes(String((error as NodeJS.ErrnoException).code))) return [];
    throw error;
  }
};
