import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

const key = Buffer.alloc(32, 7).toString('base64');
const read = (environment: Record<string, string>) => readConfig(environment, '/srv');

test('without any variable it is the demo on this machine, with the embedded database beside it', () => {
  expect(read({})).toEqual({
    port: 3000,
    host: '127.0.0.1',
    public_url: 'http://localhost:3000',
    database_url: null,
    data_dir: '/srv/data',
    secret_key: null,
    github_url: 'https://github.com',
    github_api_url: null,
    github_graphql_url: null,
    github_oauth: null,
    allow_token_sign_in: true,
    allowed_logins: null,
    allowed_orgs: null,
    demo: true,
    role: 'all',
    log_level: 'info',
    metrics: false,
  });
});

test('every variable is read', () => {
  const config = read({
    PORT: '8080',
    HOST: '0.0.0.0',
    PUBLIC_URL: 'https://reviews.example.com/',
    DATABASE_URL: 'postgresql://ada@db/mergelight',
    DATA_DIR: '/var/lib/mergelight',
    SECRET_KEY: key,
    GITHUB_URL: 'https://git.example.com/',
    GITHUB_API_URL: 'https://api.git.example.com/',
    GITHUB_GRAPHQL_URL: 'https://api.git.example.com/graphql',
    GITHUB_CLIENT_ID: 'id',
    GITHUB_CLIENT_SECRET: 'secret',
    ALLOW_TOKEN_SIGN_IN: 'false',
    ALLOWED_LOGINS: 'Ada, bo ,',
    ALLOWED_ORGS: 'Team',
    DEMO: 'true',
    ROLE: 'worker',
    LOG_LEVEL: 'debug',
    METRICS: 'true',
  });

  expect(config).toEqual({
    port: 8080,
    host: '0.0.0.0',
    public_url: 'https://reviews.example.com',
    database_url: 'postgresql://ada@db/mergelight',
    data_dir: '/var/lib/mergelight',
    secret_key: Buffer.alloc(32, 7),
    github_url: 'https://git.example.com',
    github_api_url: 'https://api.git.example.com',
    github_graphql_url: 'https://api.git.example.com/graphql',
    github_oauth: { client_id: 'id', client_secret: 'secret' },
    allow_token_sign_in: false,
    allowed_logins: ['ada', 'bo'],
    allowed_orgs: ['team'],
    demo: true,
    role: 'worker',
    log_level: 'debug',
    metrics: true,
  });
});

test('a variable that is empty counts as unset', () => {
  expect(read({ PORT: '', DATABASE_URL: ' ', SECRET_KEY: '' })).toEqual(read({}));
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
  ['GITHUB_URL', 'http://git.example.com', 'GITHUB_URL: must use https: access tokens are sent there.'],
  ['GITHUB_URL', 'https://ada:word@git.example.com', 'GITHUB_URL: must be a web address'],
  ['GITHUB_API_URL', 'http://10.0.0.1/api', 'GITHUB_API_URL: must use https'],
  ['GITHUB_GRAPHQL_URL', 'http://localhost.evil.example/', 'GITHUB_GRAPHQL_URL: must use https'],
  ['GITHUB_CLIENT_ID', 'id', 'GITHUB_CLIENT_SECRET: is missing'],
  ['GITHUB_CLIENT_SECRET', 'secret', 'GITHUB_CLIENT_ID: is missing'],
  ['ALLOW_TOKEN_SIGN_IN', 'maybe', 'ALLOW_TOKEN_SIGN_IN: must be true or false.'],
  ['DEMO', 'si', 'DEMO: must be true or false.'],
  ['ROLE', 'boss', 'ROLE: must be one of all, web, worker.'],
  ['ROLE', 'web', 'ROLE: web needs DATABASE_URL'],
  ['LOG_LEVEL', 'loud', 'LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent.'],
  ['METRICS', '2', 'METRICS: must be true or false.'],
])('%s=%s is refused in one line that names the variable and not its value', (name, value, sentence) => {
  const attempt = () => read({ [name]: value });

  expect(attempt).toThrow(sentence);
  expect(attempt).toThrow(/^[^\n]+$/);
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
