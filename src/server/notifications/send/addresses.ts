import { BlockList, isIPv4, isIPv6 } from 'node:net';

function networks(...all: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of all) {
    const [address = '', bits = ''] = network.split('/');
    list.addSubnet(address, Number(bits), isIPv4(address) ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** Never a place of anybody's: link-local, multicast, unspecified, broadcast, and where clouds tell machines their secrets. */
const forbidden = networks(
  ...['0.0.0.0/8', '169.254.0.0/16', '224.0.0.0/4', '255.255.255.255/32', '100.100.100.200/32', '192.0.0.192/32'],
  ...['::/128', 'fe80::/10', 'ff00::/8', 'fd00:ec2::254/128'],
);

/** Loopback and private networks, which `ALLOW_PRIVATE_WEBHOOKS` opens. */
const ours = networks(
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '127.0.0.0/8'],
  ...['::1/128', 'fc00::/7'],
);

/** What is not routed in public beside those (RFC 6890 and the registries that continue it). */
const special = networks(
  ...[
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.88.99.0/24',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '240.0.0.0/4',
  ],
  ...['2001::/23', '2001:db8::/32', '3fff::/20'],
);
const publicV6 = networks('2000::/3');

/** IPv6 networks in which the last 32 bits, or those after the first 16, are an IPv4 address. */
const withIPv4AtTheEnd = networks('::/96', '::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96');
const sixToFour = networks('2002::/16');

/** Whether messages may be sent to an IP address: public ones, and loopback and private ones where `allowPrivate` says so. */
export function mayReach(address: string, allowPrivate: boolean): boolean {
  if (isIPv4(address)) {
    if (forbidden.check(address, 'ipv4')) return false;
    return ours.check(address, 'ipv4') ? allowPrivate : !special.check(address, 'ipv4');
  }
  if (!isIPv6(address) || address.includes('%')) return false;
  if (forbidden.check(address, 'ipv6')) return false;
  if (ours.check(address, 'ipv6')) return allowPrivate;
  const embedded = embeddedIPv4(address);
  if (embedded !== null) return mayReach(embedded, allowPrivate);
  return publicV6.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

function embeddedIPv4(address: string): string | null {
  const groups = groupsOf(address);
  const [high, low] = withIPv4AtTheEnd.check(address, 'ipv6')
    ? groups.slice(6)
    : sixToFour.check(address, 'ipv6')
      ? groups.slice(1, 3)
      : [];
  if (high === undefined || low === undefined) return null;
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): number[] {
  // The language writes it in one way, without dots.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const numbers = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const [first, last] = [numbers(head), numbers(tail ?? '')];
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}
