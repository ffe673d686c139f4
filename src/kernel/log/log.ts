import pino from 'pino';
import { TerminalLog } from './terminal-log.ts';

export type Log = pino.Logger;

/** Lines are written together, soon and at the end at the latest: a write for each would cost more than the line. */
const collected = { dest: 2, sync: false, minLength: 8192, periodicFlush: 200 };

/** The program's log: JSON lines for programs, short lines for a terminal, and no credentials in either. */
export function makeLog(level: string): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: ['authorization', 'cookie', '*.authorization', '*.cookie', '*.password', '*.secret'],
        censor: '[secret]',
      },
    },
    process.stderr.isTTY ? new TerminalLog() : pino.destination(collected),
  );
}
