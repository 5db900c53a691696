import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/** Names of fields whose values never reach the log, wherever one or two levels deep they stand. */
const secret = [
  'token',
  'access_token',
  'secret',
  'client_secret',
  'password',
  'authorization',
  'cookie',
  'set-cookie',
  'code',
  'code_verifier',
  'webhook_secret',
  'token_encrypted',
];

/** The server's log: JSON lines, secrets struck out. `to` is for tests; standard output otherwise. */
export function openLog(level: string, to?: DestinationStream): Log {
  const settings = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['', '*.', '*.*.', '*.*.*.'].flatMap((prefix) => secret.map((name) => pathOf(prefix, name))),
      censor: '[secret]',
    },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return to === undefined ? pino(settings) : pino(settings, to);
}

function pathOf(prefix: string, name: string): string {
  return /^\w+$/.test(name) ? `${prefix}${name}` : `${prefix.replace(/\.$/, '')}["${name}"]`;
}
