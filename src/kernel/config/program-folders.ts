import { delimiter, isAbsolute } from 'node:path';

/** The folders in which programs of the host are looked up. */
export const programFolders = (path = process.env['PATH'] ?? ''): string[] => path.split(delimiter).filter(isAbsolute);
