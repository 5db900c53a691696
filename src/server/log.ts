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
  // PostgreSQL quotes rows and values in these of its errors.
  'detail',
  'where',
  'internalQuery',
  'parameters',
];

export const logFormats = ['json', 'text'] as const;
export type LogFormat = (typeof logFormats)[number];

/** The server's log, secrets struck out: JSON lines, or sentences. `to` is for tests; standard output otherwise. */
export function openLog(level: string, format: LogFormat = 'json', to?: DestinationStream): Log {
  const settings = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // Errors whose fields are getters, such as those of time limits, cannot be copied to strike out secrets.
    serializers: { err: pino.stdSerializers.err, cause: pino.stdSerializers.err },
    redact: {
      paths: ['', '*.', '*.*.', '*.*.*.'].flatMap((prefix) => secret.map((name) => pathOf(prefix, name))),
      censor: '[secret]',
    },
    // Whoever pastes a personal token where it does not belong finds it in no log, whichever text it is part of.
    hooks: { streamWrite: (line: string) => line.replaceAll(/mgl_[0-9A-Za-z]{6,}/g, 'mgl_[secret]') },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  if (format === 'json') return to === undefined ? pino(settings) : pino(settings, to);
  const out = to ?? process.stdout;
  return pino(settings, { write: (line: string) => void out.write(sentenceOf(line)) });
}

/** A JSON line of the log for a person: "21:04:09 warning: the disk is full (folder ./data)", and where an error was thrown. */
function sentenceOf(line: string): string {
  const { time, level, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown>;
  const error = err as { message?: string; stack?: string } | undefined;
  const clock = new Date(String(time)).toLocaleTimeString('en-GB');
  const word = level === 'warn' ? 'warning' : String(level);
  const details = Object.entries(rest).map(([name, value]) => `${name} ${plain(value)}`);
  const said = [String(msg ?? error?.message ?? ''), ...(details.length > 0 ? [`(${details.join(', ')})`] : [])].join(
    ' ',
  );
  const isSerious = level === 'error' || level === 'fatal';
  const cause =
    error === undefined
      ? ''
      : isSerious && error.stack
        ? `\n  ${error.stack.replaceAll('\n', '\n  ')}`
        : `: ${onOneLine(error.message ?? '')}`;
  return `${clock} ${word}: ${said}${cause}\n`;
}

function plain(value: unknown): string {
  return typeof value === 'string' ? onOneLine(value) : JSON.stringify(value);
}

/** A text with control characters is quoted, so that none begins a line of its own. */
function onOneLine(text: string): string {
  return /\p{Cc}/u.test(text) ? JSON.stringify(text) : text;
}

function pathOf(prefix: string, name: string): string {
  return /^\w+$/.test(name) ? `${prefix}${name}` : `${prefix.replace(/\.$/, '')}["${name}"]`;
}
