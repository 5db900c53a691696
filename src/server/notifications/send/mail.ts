import { cleaned, type Outcome, wordsOfError } from './outcome.ts';

/** A mail server, of `SMTP_URL` and `MAIL_FROM`. */
export interface MailSettings {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte (`smtps`). */
  readonly secure: boolean;
  /** Whether a connection that begins without TLS has to go over to it before anything is told. */
  readonly require_tls: boolean;
  readonly user: string | null;
  readonly password: string | null;
  /** The sender. */
  readonly from: string;
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly message_id?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Milliseconds in which a server has to answer, for each step. */
const PATIENCE = 10_000;
/** The same of what comes after the greeting: many look for viruses before they answer. */
const PATIENCE_FOR_ANSWERS = 30_000;

interface SmtpError extends Error {
  readonly responseCode?: number;
  readonly response?: string;
}

/** Sends a mail to one address, once. Never throws for what the other side does. */
export async function sendMail(settings: MailSettings, mail: Mail): Promise<Outcome> {
  const { host, port, secure, require_tls, user, password, from } = settings;
  let isWhole = false;
  const silent = () => undefined;
  // Loaded with the first mail: most installations send none.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    ...{ host, port, secure, requireTLS: !secure && require_tls, disableFileAccess: true, disableUrlAccess: true },
    // Where the connection may stay without TLS, a certificate that nobody signed is better than none.
    tls: { rejectUnauthorized: secure || require_tls },
    ...(user !== null && { auth: { user, pass: password ?? '' } }),
    ...{
      connectionTimeout: PATIENCE,
      greetingTimeout: PATIENCE,
      socketTimeout: PATIENCE_FOR_ANSWERS,
      dnsTimeout: PATIENCE,
    },
    logger: {
      ...{ trace: silent, debug: silent, warn: silent, error: silent, fatal: silent },
      // The only sign that all of the message was written, with the dot that ends it.
      info(entry) {
        if (isMessageWritten(entry)) isWhole = true;
      },
    },
  });
  try {
    const { response } = await transport.sendMail({
      from: senderIn(from),
      to: { name: '', address: mail.to },
      ...{ subject: mail.subject, text: mail.text },
      ...(mail.html !== undefined && { html: mail.html }),
      ...(mail.message_id !== undefined && { messageId: mail.message_id }),
      headers: { 'Auto-Submitted': 'auto-generated', ...mail.headers },
    });
    return { state: 'sent', status: codeIn(response), message: cleaned(response), ...nothingMore };
  } catch (error) {
    const { responseCode, response } = error as SmtpError;
    if (responseCode === undefined || responseCode < 400)
      return { state: isWhole ? 'unknown' : 'retry', status: null, message: wordsOfError(error), ...nothingMore };
    return {
      state: responseCode >= 500 ? 'final' : 'retry',
      status: String(responseCode),
      message: cleaned(response ?? `Answered ${responseCode}.`),
      ...nothingMore,
    };
  } finally {
    transport.close();
  }
}

/** As it is written, a comma or a colon in the name would begin another address. */
function senderIn(from: string): { name: string; address: string } {
  const [, name = '', address = from] = /^(.*?)\s*<([^<>]+)>$/.exec(from) ?? [];
  return { name, address };
}

function isMessageWritten(entry: unknown): boolean {
  return typeof entry === 'object' && entry !== null && 'outByteCount' in entry;
}

const nothingMore = { retryAfter: null, gone: false } as const;

function codeIn(response: string): string | null {
  return /^\d{3}/.exec(response)?.[0] ?? null;
}
