import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StorageFull } from '#kernel/contract/fault.ts';

export interface DiskUsage {
  freeBytes: number;
  totalBytes: number;
}

/** What a disk is used for. */
export type DiskName = 'spool' | 'database';

export interface NamedDisk extends DiskUsage {
  name: DiskName;
}

/** Reads the disk of a folder; undefined when the system does not report it. */
export type ReadDisk = (folder: string) => Promise<DiskUsage | undefined>;

export interface DiskSpaceOptions {
  /** The folders that the server writes to; that of the database only if it is the embedded one. */
  folders: Partial<Record<DiskName, string>>;
  /** Below this uploads are refused; 0 switches the check off. */
  minFreeBytes: number;
  readDisk?: ReadDisk | undefined;
}

export interface DiskWarning {
  code: 'DISK_LOW' | 'DISK_FULL';
  message: string;
}

const MIB = 1024 ** 2;
/** Administrators are warned below this multiple of the minimum. */
const WARNING_FACTOR = 4;
const LABELS: Record<DiskName, string> = { spool: 'the spool folder', database: 'the embedded database' };

const inMib = (bytes: number) => `${Math.floor(bytes / MIB).toLocaleString('en')} MiB`;

/** Watches the disks that the server writes to. Uploads are refused before one is full, which would stop PostgreSQL. */
export class DiskSpace {
  readonly #options: DiskSpaceOptions;

  constructor(options: DiskSpaceOptions) {
    this.#options = options;
  }

  async list(): Promise<NamedDisk[]> {
    const { folders, readDisk = readDiskOf } = this.#options;
    const found = await Promise.all(
      (Object.entries(folders) as [DiskName, string][]).map(async ([name, folder]) => {
        const usage = await readDisk(folder);
        return usage ? [{ name, ...usage }] : [];
      }),
    );
    return found.flat();
  }

  /** The disk with the least free space; undefined when the system reports none. */
  async fullest(): Promise<NamedDisk | undefined> {
    return (await this.list()).sort((left, right) => left.freeBytes - right.freeBytes)[0];
  }

  /** Throws when a disk has too little space for an upload. */
  async requireSpace(): Promise<void> {
    const { minFreeBytes } = this.#options;
    const disk = minFreeBytes === 0 ? undefined : await this.fullest();
    if (disk && disk.freeBytes < minFreeBytes) throw new StorageFull(usageText(disk));
  }

  async warnings(): Promise<DiskWarning[]> {
    const { minFreeBytes } = this.#options;
    const disk = minFreeBytes === 0 ? undefined : await this.fullest();
    if (!disk || disk.freeBytes >= WARNING_FACTOR * minFreeBytes) return [];
    const isFull = disk.freeBytes < minFreeBytes;
    const effect = isFull
      ? 'imports and other uploads are refused until there is more'
      : `below ${inMib(minFreeBytes)}, imports and other uploads are refused`;
    const message = `${capitalized(usageText(disk))}; ${effect}. Free space on it, or enlarge it.`;
    return [{ code: isFull ? 'DISK_FULL' : 'DISK_LOW', message }];
  }
}

const usageText = ({ name, freeBytes }: NamedDisk) => `the disk of ${LABELS[name]} has ${inMib(freeBytes)} left`;

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A folder that does not exist yet will be on the disk of its parent. */
async function readDiskOf(folder: string): Promise<DiskUsage | undefined> {
  for (const path of [folder, dirname(folder)]) {
    const stats = await statfs(path).catch(() => undefined);
    if (stats) return { freeBytes: stats.bavail * stats.bsize, totalBytes: stats.blocks * stats.bsize };
  }
  return undefined;
}
