import { expect, test } from 'vitest';
import { directAddress, readConfig, warningsOf } from './config.ts';
import { defaultLimits } from './http/limits.ts';

const key = Buffer.alloc(32, 7).toString('base64');
const read = (environment: Record<string, string>) => readConfig(environment, '/srv', false);

test('without any variable it is the demo on this machine, with the embedded database beside it', () => {
  expect(read({})).toEqual({
    port: 3000,
    host: '127.0.0.1',
    public_url: 'http://localhost:3000',
    database_url: null,
    database_direct_url: null,
    database_connections: 10,
    database_replica: null,
    shutdown_delay: 0,
    data_dir: '/srv/data',
    secret_keys: null,
    previous_keys: [],
    backups: null,
    durability: 'full',
    github_url: 'https://github.com',
    github_api_url: null,
    github_graphql_url: null,
    github_oauth: null,
    github_app: null,
    github_webhook_secret: null,
    allow_token_sign_in: true,
    allowed_logins: null,
    allowed_orgs: null,
    admin_logins: [],
    demo: true,
    role: 'all',
    log_level: 'info',
    log_format: 'json',
    metrics: false,
    metrics_port: null,
    metrics_host: '127.0.0.1',
    trust_proxy: ['loopback'],
    limits: defaultLimits,
    mail: null,
    slack: null,
    allow_private_webhooks: false,
    notifications: true,
    allow_api_tokens: true,
    api_token_max_days: 366,
    enable_mcp: true,
  });
});

test.each([
  ['smtp://mail.example.com', { port: 587, secure: false, require_tls: true, user: null, password: null }],
  ['smtps://mail.example.com', { port: 465, secure: true }],
  ['smtp://us%40er:p%3Aass@mail.example.com:2525', { port: 2525, user: 'us@er', password: 'p:ass', require_tls: true }],
  ['smtp://mail.example.com?tls=optional', { require_tls: false }],
  ['smtp://localhost:25', { host: 'localhost', port: 25, require_tls: false }],
  ['smtp://[::1]:25/', { host: '::1', require_tls: false }],
  ['smtp://127.0.0.1?tls=required', { require_tls: true }],
])('a mail server is read: %s', (SMTP_URL, mail) => {
  const config = read({ SMTP_URL, MAIL_FROM: 'Mergelight <mergelight@example.com>' });

  expect(config.mail).toMatchObject({ from: 'Mergelight <mergelight@example.com>', ...mail });
});

test('what messages go out by is read', () => {
  const config = read({ SLACK_BOT_TOKEN: 'xoxb-1', ALLOW_PRIVATE_WEBHOOKS: 'true', NOTIFICATIONS: 'false' });

  expect(config).toMatchObject({
    slack: { token: 'xoxb-1', api_url: 'https://slack.com/api' },
    ...{ allow_private_webhooks: true, notifications: false, mail: null },
  });
});

test.each([
  [{ SMTP_URL: 'smtp://mail.example.com' }, 'MAIL_FROM: '],
  [{ MAIL_FROM: 'a@example.com' }, 'SMTP_URL: '],
  [{ SMTP_URL: 'mail.example.com', MAIL_FROM: 'a@example.com' }, 'SMTP_URL: '],
  [{ SMTP_URL: 'http://mail.example.com', MAIL_FROM: 'a@example.com' }, 'SMTP_URL: '],
  [{ SMTP_URL: 'smtp://mail.example.com/path', MAIL_FROM: 'a@example.com' }, 'SMTP_URL: '],
  [{ SMTP_URL: 'smtp://mail.example.com?tls=never', MAIL_FROM: 'a@example.com' }, 'SMTP_URL: '],
  [{ SMTP_URL: 'smtp://u:planted@mail.example.com:0x', MAIL_FROM: 'a@example.com' }, 'SMTP_URL: '],
  [{ SMTP_URL: 'smtp://u:planted%zz@mail.example.com', MAIL_FROM: 'a@example.com' }, 'SMTP_URL: '],
  [{ SMTP_URL: 'smtp://mail.example.com:0', MAIL_FROM: 'a@example.com' }, 'SMTP_URL: '],
  [{ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'nobody' }, 'MAIL_FROM: '],
  [{ SLACK_BOT_TOKEN: 'planted token' }, 'SLACK_BOT_TOKEN: '],
  [{ SLACK_API_URL: 'http://slack.example.com' }, 'SLACK_API_URL: '],
  [{ NOTIFICATIONS: 'maybe' }, 'NOTIFICATIONS: '],
  [{ ALLOW_API_TOKENS: 'maybe' }, 'ALLOW_API_TOKENS: '],
  [{ API_TOKEN_MAX_DAYS: '0' }, 'API_TOKEN_MAX_DAYS: '],
  [{ API_TOKEN_MAX_DAYS: '367' }, 'API_TOKEN_MAX_DAYS: '],
])('of what messages go out by %j is refused with one line', (environment, says) => {
  const attempt = () => read(environment as Record<string, string>);

  expect(attempt).toThrow(says);
  expect(attempt).not.toThrow(/planted/);
});

test.each([
  ['http://localhost:3000', null, []],
  ['https://reviews.example.com', 'postgresql://localhost/m', []],
  ['http://reviews.example.com', null, ['PUBLIC_URL: http beyond this machine']],
  ['https://x.example', 'postgresql://u:p@db.example.com/m', ['DATABASE_URL: no TLS beyond this machine']],
  ['https://x.example', 'postgresql://db.example.com/m?sslmode=allow', ['DATABASE_URL: no TLS beyond this machine']],
  ['https://x.example', 'postgresql://db.example.com/m?sslmode=disable', []],
  ['https://x.example', 'postgresql://db.example.com/m?sslmode=verify-full', []],
  ['https://x.example', 'postgresql:///m?host=/var/run/postgresql', []],
])('what leaves this machine in the clear is said at the start: %s %s', (public_url, database_url, sentences) => {
  const said = warningsOf({ public_url, database_url });

  expect(said.map((sentence) => sentence.split(':').slice(0, 2).join(':'))).toEqual(sentences);
  expect(said.join()).not.toContain('u:p@');
});

test('commands take the address past a pooler, and know which variable it is from', () => {
  const server = { DATABASE_URL: 'postgresql://pooler/m', SECRET_KEY: key };

  expect(
    [{}, server, { ...server, DATABASE_DIRECT_URL: 'postgresql://db/m' }].map((of) => directAddress(read(of))),
  ).toEqual([
    null,
    { url: 'postgresql://pooler/m', url_setting: 'DATABASE_URL' },
    { url: 'postgresql://db/m', url_setting: 'DATABASE_DIRECT_URL' },
  ]);
});

test('variables are read', () => {
  const config = read({
    PORT: '8080',
    HOST: '0.0.0.0',
    PUBLIC_URL: 'https://reviews.example.com/',
    DATABASE_URL: 'postgresql://ada@pooler/mergelight',
    DATABASE_DIRECT_URL: 'postgresql://ada@db/mergelight',
    DATABASE_CONNECTIONS: '20',
    DATABASE_REPLICA_URL: 'postgresql://ada@standby/mergelight',
    DATABASE_REPLICA_MAX_LAG: '5',
    SHUTDOWN_DELAY: '15',
    DATA_DIR: '/var/lib/mergelight',
    SECRET_KEY: key,
    SECRET_KEY_PREVIOUS: Buffer.alloc(32, 8).toString('base64'),
    GITHUB_URL: 'https://git.example.com/',
    GITHUB_API_URL: 'https://api.git.example.com/',
    GITHUB_GRAPHQL_URL: 'https://api.git.example.com/graphql',
    GITHUB_CLIENT_ID: 'id',
    GITHUB_CLIENT_SECRET: 'secret',
    GITHUB_APP_ID: '12',
    GITHUB_APP_SLUG: 'mergelight',
    GITHUB_WEBHOOK_SECRET: 'a secret of the App',
    ALLOW_TOKEN_SIGN_IN: 'false',
    ALLOWED_LOGINS: 'Ada, bo ,',
    ALLOWED_ORGS: 'Team',
    ADMIN_LOGINS: 'Ada',
    DEMO: 'true',
    ROLE: 'worker',
    LOG_LEVEL: 'debug',
    LOG_FORMAT: 'text',
    METRICS: 'true',
    METRICS_PORT: '9100',
    METRICS_HOST: '0.0.0.0',
    TRUST_PROXY: '10.0.0.0/8, 2001:db8::1',
    LIMITS: 'sign_in=100, requests=6000',
    ALLOW_API_TOKENS: 'false',
    API_TOKEN_MAX_DAYS: '30',
    ENABLE_MCP: 'false',
  });

  expect(config).toEqual({
    port: 8080,
    host: '0.0.0.0',
    public_url: 'https://reviews.example.com',
    database_url: 'postgresql://ada@pooler/mergelight',
    database_direct_url: 'postgresql://ada@db/mergelight',
    database_connections: 20,
    database_replica: { url: 'postgresql://ada@standby/mergelight', max_lag: 5000 },
    shutdown_delay: 15_000,
    data_dir: '/var/lib/mergelight',
    secret_keys: [Buffer.alloc(32, 7), Buffer.alloc(32, 8)],
    previous_keys: [Buffer.alloc(32, 8)],
    backups: null,
    durability: 'full',
    github_url: 'https://git.example.com',
    github_api_url: 'https://api.git.example.com',
    github_graphql_url: 'https://api.git.example.com/graphql',
    github_oauth: { client_id: 'id', client_secret: 'secret' },
    github_app: { id: '12', slug: 'mergelight' },
    github_webhook_secret: 'a secret of the App',
    allow_token_sign_in: false,
    allowed_logins: ['ada', 'bo'],
    allowed_orgs: ['team'],
    admin_logins: ['ada'],
    demo: true,
    role: 'worker',
    log_level: 'debug',
    log_format: 'text',
    metrics: true,
    metrics_port: 9100,
    metrics_host: '0.0.0.0',
    trust_proxy: ['10.0.0.0/8', '2001:db8::1'],
    limits: { ...defaultLimits, sign_in: 100, requests: 6000 },
    mail: null,
    slack: null,
    allow_private_webhooks: false,
    notifications: true,
    allow_api_tokens: false,
    api_token_max_days: 30,
    enable_mcp: false,
  });
});

test('sign-in with a token is off where people sign in at the host, unless it is switched on', () => {
  const oauth = { GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'secret' };

  expect(read({}).allow_token_sign_in).toBe(true);
  expect(read(oauth).allow_token_sign_in).toBe(false);
  expect(read({ ...oauth, ALLOW_TOKEN_SIGN_IN: 'true' }).allow_token_sign_in).toBe(true);
});

test('a person at a terminal reads warnings as sentences; what reads the output otherwise, and whoever asks, gets every line as JSON', () => {
  const logOf = (environment: Record<string, string>, isTerminal: boolean) => {
    const { log_format, log_level } = readConfig(environment, '/srv/mergelight', isTerminal);
    return [log_format, log_level];
  };

  expect(logOf({}, true)).toEqual(['text', 'warn']);
  expect(logOf({}, false)).toEqual(['json', 'info']);
  expect(logOf({ LOG_FORMAT: 'json' }, true)).toEqual(['json', 'info']);
  expect(logOf({ LOG_FORMAT: 'text', LOG_LEVEL: 'debug' }, false)).toEqual(['text', 'debug']);
});

test('a variable that is empty counts as unset', () => {
  expect(read({ PORT: '', DATABASE_URL: ' ', SECRET_KEY: '' })).toEqual(read({}));
});

test.each(['ALLOWED_LOGINS', 'ALLOWED_ORGS'])('%s is refused where it is set and names nobody', (name) => {
  for (const empty of ['', ' ', ' , '])
    expect(() => read({ [name]: empty })).toThrow(`${name}: is set, but empty: name who may sign in`);
});

test('the demo is off once sign-in by OAuth is configured, unless asked for', () => {
  const oauth = { GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'secret' };

  expect(read(oauth).demo).toBe(false);
  expect(read({ ...oauth, DEMO: 'true' }).demo).toBe(true);
  expect(read({ DEMO: 'false' }).demo).toBe(false);
});

test('the address for browsers follows the port', () => {
  expect(read({ PORT: '4000' }).public_url).toBe('http://localhost:4000');
});

test.each([
  ['PORT', 'abc', 'PORT: must be a port from 1 to 65535.'],
  ['PORT', '0', 'PORT: must be a port from 1 to 65535.'],
  ['PORT', '65536', 'PORT: must be a port from 1 to 65535.'],
  ['PORT', '3000.5', 'PORT: must be a port from 1 to 65535.'],
  ['PUBLIC_URL', 'reviews.example.com', 'PUBLIC_URL: must be a web address such as https://github.example.com.'],
  ['PUBLIC_URL', 'javascript:alert(1)', 'PUBLIC_URL: must be a web address such as https://github.example.com.'],
  ['PUBLIC_URL', 'https://example.com/app', 'PUBLIC_URL: must have no path'],
  ['DATABASE_URL', 'mysql://db', 'DATABASE_URL: must be a PostgreSQL address'],
  ['SECRET_KEY', 'c2hvcnQ=', 'SECRET_KEY: must be 32 bytes in base64'],
  ['SECRET_KEY', `${key},${key}`, 'SECRET_KEY: must be 32 bytes in base64'],
  ['SECRET_KEY', `${key} and more`, 'SECRET_KEY: must be 32 bytes in base64'],
  ['SECRET_KEY_PREVIOUS', `${key},c2hvcnQ=`, 'SECRET_KEY_PREVIOUS: must be 32 bytes in base64'],
  ['SECRET_KEY_FILE', '/nonexistent/keys', 'SECRET_KEY_FILE: /nonexistent/keys cannot be read'],
  ['GITHUB_URL', 'http://git.example.com', 'GITHUB_URL: must use https: access tokens are sent there.'],
  ['GITHUB_URL', 'HTTP://git.example.com', 'GITHUB_URL: must use https'],
  ['GITHUB_URL', 'https://ada:word@git.example.com', 'GITHUB_URL: must be a web address'],
  ['GITHUB_API_URL', 'http://10.0.0.1/api', 'GITHUB_API_URL: must use https'],
  ['GITHUB_API_URL', 'HTTP://10.0.0.1/api', 'GITHUB_API_URL: must use https'],
  ['GITHUB_GRAPHQL_URL', 'http://localhost.evil.example/', 'GITHUB_GRAPHQL_URL: must use https'],
  ['GITHUB_GRAPHQL_URL', 'Http://10.0.0.1/graphql', 'GITHUB_GRAPHQL_URL: must use https'],
  ['SLACK_API_URL', 'HTTP://slack.example.com/api', 'SLACK_API_URL: must use https'],
  ['GITHUB_CLIENT_ID', 'id', 'GITHUB_CLIENT_SECRET: is missing'],
  ['GITHUB_CLIENT_SECRET', 'secret', 'GITHUB_CLIENT_ID: is missing'],
  ['GITHUB_APP_ID', 'Iv1.abc', "GITHUB_APP_ID: must be the App's number"],
  ['GITHUB_APP_ID', '12', "GITHUB_APP_ID: needs the App's GITHUB_CLIENT_ID"],
  ['GITHUB_APP_SLUG', 'apps/mergelight', 'GITHUB_APP_SLUG: must be the last part'],
  ['GITHUB_APP_SLUG', 'mergelight', 'GITHUB_APP_SLUG: belongs to a GitHub App; set GITHUB_APP_ID too.'],
  ['GITHUB_WEBHOOK_SECRET', 'short', 'GITHUB_WEBHOOK_SECRET: must have 16 characters or more.'],
  ['GITHUB_WEBHOOK_SECRET', 'a secret of the App', 'GITHUB_WEBHOOK_SECRET: belongs to a GitHub App'],
  ['TRUST_PROXY', 'everybody', 'TRUST_PROXY: must be addresses or networks such as 10.0.0.0/8'],
  ['TRUST_PROXY', '10.0.0.0/33', 'TRUST_PROXY: must be addresses or networks'],
  ['TRUST_PROXY', '0.0.0.0/0', 'TRUST_PROXY: must not be every address (/0)'],
  ['TRUST_PROXY', 'loopback, ::/0', 'TRUST_PROXY: must not be every address (/0)'],
  ['LIMITS', 'speed=5', 'LIMITS: must be like sign_in=60,requests=600'],
  ['LIMITS', 'requests=0', 'LIMITS: must be like sign_in=60,requests=600'],
  ['LIMITS', 'requests', 'LIMITS: must be like'],
  ['ALLOW_TOKEN_SIGN_IN', 'maybe', 'ALLOW_TOKEN_SIGN_IN: must be true or false.'],
  ['DEMO', 'si', 'DEMO: must be true or false.'],
  ['ROLE', 'boss', 'ROLE: must be one of all, web, worker.'],
  ['ROLE', 'web', 'ROLE: web needs DATABASE_URL'],
  ['LOG_FORMAT', 'xml', 'LOG_FORMAT: must be one of json, text.'],
  ['LOG_LEVEL', 'loud', 'LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent.'],
  ['METRICS', '2', 'METRICS: must be true or false.'],
  ['BACKUP_KEEP', '0', 'BACKUP_KEEP: must be a number from 1 to 999: how many backups are kept.'],
  ['BACKUP_KEEP', '1000', 'BACKUP_KEEP: must be a number from 1 to 999: how many backups are kept.'],
  ['API_TOKEN_MAX_DAYS', '367', 'API_TOKEN_MAX_DAYS: must be a number from 1 to 366'],
])('%s=%s is refused in one line that names the variable and not its value', (name, value, sentence) => {
  const attempt = () => read({ [name]: value });

  expect(attempt).toThrow(sentence);
  expect(attempt).toThrow(/^[^\n]+$/);
});

test('a key may have the alphabet of web addresses, and no padding', () => {
  const bytes = Buffer.alloc(32, 251);

  for (const text of [bytes.toString('base64'), bytes.toString('base64url'), `${bytes.toString('base64url')}=`])
    expect(read({ SECRET_KEY: text, SECRET_KEY_PREVIOUS: `${key}, ${text}` }).secret_keys).toEqual([
      ...[bytes, Buffer.alloc(32, 7)],
      bytes,
    ]);
});

test('a database server needs a key that outlives the process', () => {
  expect(() => read({ DATABASE_URL: 'postgresql://db/m' })).toThrow('SECRET_KEY: is required with DATABASE_URL');
});

test.each(['http://localhost:9000', 'http://127.0.0.1:9000', 'http://[::1]:9000', 'http://git.localhost'])(
  'a host on this machine may be plain http: %s',
  (url) => {
    expect(read({ GITHUB_URL: url }).github_url).toBe(url);
  },
);

test.each([
  ['none', false],
  ['0', false],
  ['2', 2],
  ['loopback, 192.0.2.1', ['loopback', '192.0.2.1']],
])('TRUST_PROXY=%s is understood', (text, proxies) => {
  expect(read({ TRUST_PROXY: text }).trust_proxy).toEqual(proxies);
});

test.each([
  [{}, true],
  [{ GITHUB_URL: 'https://git.example.com' }, true],
  [{ PUBLIC_URL: 'http://localhost:8080' }, true],
  [{ PUBLIC_URL: 'https://reviews.example.com' }, false],
  [{ GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'secret' }, false],
  [{ ALLOWED_LOGINS: 'ada' }, false],
  [{ ALLOWED_ORGS: 'team' }, false],
  [{ DATABASE_URL: 'postgresql://db/x', SECRET_KEY: key }, false],
  [{ PUBLIC_URL: 'https://reviews.example.com', ALLOWED_LOGINS: 'ada', DEMO: 'true' }, true],
  [{ DEMO: 'false' }, false],
])('where others are to come in, the demo is served only when asked for: %j', (environment, demo) => {
  expect(read(environment).demo).toBe(demo);
});
