import type { Config } from '#kernel/config/config.ts';
import type { MasterKeyOptions } from '#kernel/crypto/keys/key-ring.ts';
import { reveal } from '#kernel/crypto/secret.ts';
import type { Log } from '#kernel/log/log.ts';

/** Where the settings say that the master key is: in a variable, or else in the data folder. */
export const keyOptionsOf = ({ masterKey, dataDir }: Config, log: Log): MasterKeyOptions => ({
  ...(reveal(masterKey) !== '' && { value: masterKey }),
  dataFolder: dataDir,
  log,
});
