import { expect, test } from 'vitest';
import { libpqConnection } from './postgresql-backup.ts';

const here = "host='db.example.com' port='5432' user='mergelight' dbname='m'";

test.each([
  ['without a password', 'postgresql://mergelight@db.example.com/m', here, undefined],
  ['with a bare percent sign', 'postgresql://mergelight:50%off@db.example.com/m', here, '50%off'],
  ['with encoded characters', 'postgres://mergelight:p%40%2Fs%25@db.example.com:5432/m', here, 'p@/s%'],
  ['with a password behind it', 'postgresql://db.example.com/m?user=mergelight&password=p%26q', here, 'p&q'],
  [
    'with a server’s name behind it',
    'postgresql://m%40e@/it%27s?host=/run/postgresql&port=5433',
    "host='/run/postgresql' port='5433' user='m@e' dbname='it\\'s'",
    undefined,
  ],
  [
    'of IPv6',
    'postgresql://mergelight:p@[2001:db8::1]/m',
    "host='2001:db8::1' port='5432' user='mergelight' dbname='m'",
    'p',
  ],
  [
    'as pg recommends it for TLS',
    'postgresql://mergelight:p@db.example.com/m?uselibpqcompat=true&sslmode=require',
    `${here} sslmode='require'`,
    'p',
  ],
  [
    'with what both understand, and what pg alone does',
    'postgresql://mergelight:p@db.example.com/m?application_name=a%20b&statement_timeout=5000&connect_timeout=5#x',
    `${here} application_name='a b' connect_timeout='5'`,
    'p',
  ],
  [
    'with TLS to any server',
    'postgresql://mergelight@db.example.com/m?sslmode=no-verify',
    `${here} sslmode='require'`,
    undefined,
  ],
  ['with TLS by a flag', 'postgresql://mergelight@db.example.com/m?ssl=1', `${here} sslmode='require'`, undefined],
])(
  'an address %s is one of PostgreSQL’s own programs, its password in the environment alone',
  (_, url, dbname, password) => {
    const { args, env } = libpqConnection(url);

    expect(args).toEqual([`--dbname=${dbname}`]);
    expect(env.PGPASSWORD).toBe(password);
  },
);
