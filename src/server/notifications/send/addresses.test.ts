import { expect, test } from 'vitest';
import { mayReach } from './addresses.ts';

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '100.63.255.255',
  '100.128.0.1',
  '172.32.0.1',
  '223.255.255.254',
  '2606:4700::1111',
  '2a00:1450::1',
  '64:ff9b::808:808',
  '::ffff:8.8.8.8',
  '2002:808:808::1',
])('%s is public', (address) => {
  expect([mayReach(address, false), mayReach(address, true)]).toEqual([true, true]);
});

test.each([
  ...[
    '127.0.0.1',
    '127.255.255.255',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '100.127.255.255',
  ],
  ...[
    '::1',
    'fc00::1',
    'fdff::1',
    '::ffff:127.0.0.1',
    '::ffff:a00:1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::a00:1',
    '2002:7f00:1::',
    '2002:c0a8:101::1',
  ],
])('%s is loopback or private: reached where that is allowed', (address) => {
  expect([mayReach(address, false), mayReach(address, true)]).toEqual([false, true]);
});

test.each([
  ...[
    '0.0.0.0',
    '0.1.2.3',
    '169.254.169.254',
    '169.254.0.1',
    '224.0.0.1',
    '239.255.255.255',
    '255.255.255.255',
    '100.100.100.200',
    '192.0.0.192',
  ],
  ...[
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.9',
    '198.18.0.1',
    '198.19.255.255',
    '192.88.99.1',
    '192.0.0.8',
    '240.0.0.1',
  ],
  ...[
    '::',
    'fe80::1',
    'febf::1',
    'fe80::1%eth0',
    'ff02::1',
    'fd00:ec2::254',
    'fec0::1',
    '2001:db8::1',
    '2001::1',
    '3fff::1',
    '5f00::1',
    '100::1',
    '64:ff9b:1::1',
  ],
  ...[
    '::ffff:169.254.169.254',
    '::ffff:0.0.0.0',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    '::ffff:100.100.100.200',
    '2002:e000:1::',
  ],
  ...['localhost', '', '1.2.3', '0x7f000001', '2130706433'],
])('%s is never reached', (address) => {
  expect([mayReach(address, false), mayReach(address, true)]).toEqual([false, false]);
});
