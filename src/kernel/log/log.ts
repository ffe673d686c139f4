import pino from 'pino';
import { TerminalLog } from './terminal-log.ts';

export type Log = pino.Logger;

/** Lines are buffered and written together, because a write for each costs more than the line itself. */
const buffered = { dest: 2, sync: false, minLength: 8192, periodicFlush: 200 };

/** The log: JSON lines, or short lines on a terminal; credentials are redacted in both. */
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
    process.stderr.isTTY ? new TerminalLog() : pino.destination(buffered),
  );
}

/** Writes a complete line of another process, such as a log line in JSON, between the lines of this log. */
export function writeLogLine(log: Log, line: string): void {
  const { [pino.symbols.streamSym]: stream } = log as unknown as Record<symbol, pino.DestinationStream>;
  stream?.write(`${line}\n`);
}
