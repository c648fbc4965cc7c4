import { BlockList, isIP, isIPv6 } from 'node:net';

/**
 * IANA's special-purpose ranges (RFC 6890), multicast, and Azure's wire server, which is public.
 */
const special = blockList([
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24',
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
  '168.63.129.16/32',
  '2001::/23 2001:db8::/32 2002::/16 3fff::/20',
]);

/**
 * Addresses of cloud metadata with credentials (Amazon, Azure, Alibaba, Google); no setting opens
 * these.
 */
const metadata = blockList([
  '169.254.0.0/16 168.63.129.16/32 100.100.100.200/32 fe80::/10 fd00:ec2::254/128 fd20:ce::254/128',
]);

/** True if an address is public: not private, not of this machine, not link-local. */
export function isPublicAddress(address: string): boolean {
  return isUnicast(address) && !isIn(address, special);
}

/** True if a host is written as a private address. No name is looked up. */
export function namesPrivateAddress(host: string): boolean {
  return isIP(host) === 0 ? host === 'localhost' : !isPublicAddress(host);
}

/** True for any address but cloud metadata: an operator may open it. */
export function isOpenableAddress(address: string): boolean {
  return !isIn(address, metadata);
}

/**
 * True for IPv4, and for 2000::/3, the only assigned IPv6 unicast (RFC 4291, 2.4; IANA, "IPv6
 * Global Unicast Address Assignments").
 */
function isUnicast(address: string): boolean {
  const plain = address.replace(/%.*/, '');
  if (!isIPv6(plain)) return true;
  const groups = groupsOf(plain);
  return isMapped(groups) || ((groups[0] ?? 0) & 0xe000) === 0x2000;
}

const isMapped = (groups: readonly number[]): boolean =>
  groups.slice(0, 5).every((word) => word === 0) && groups[5] === 0xffff;

function isIn(address: string, list: BlockList): boolean {
  const plain = address.replace(/%.*/, '');
  if (!isIPv6(plain)) return list.check(plain, 'ipv4');
  const groups = groupsOf(plain);
  const [a = 0, b = 0, c = 0, d = 0, , , g = 0, h = 0] = groups;
  if (isMapped(groups)) return list.check(ipv4Of(g, h), 'ipv4');
  const translated = a === 0x64 && b === 0xff9b && ((c === 0 && d === 0) || c === 1);
  const compatible = groups.slice(0, 6).every((word) => word === 0);
  if ((translated || compatible) && list.check(ipv4Of(g, h), 'ipv4')) return true;
  if (a === 0x2002 && list.check(ipv4Of(b, c), 'ipv4')) return true;
  return list.check(plain, 'ipv6');
}

const ipv4Of = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join('.');

/**
 * The eight groups of an IPv6 address. Some contain an IPv4 address: mapped and compatible ones
 * (RFC 4291, 2.5.5), NAT64 (RFC 6052, RFC 8215) and 6to4 (RFC 3056).
 */
function groupsOf(address: string): number[] {
  // The parser of URLs knows all spellings and has one for each address.
  const normal = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before = '', after] = normal.split('::');
  const read = (part: string) =>
    part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16));
  const [first, last] = [read(before), read(after ?? '')];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

function blockList(lines: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of lines.join(' ').split(' ')) {
    const [net = '', bits] = range.split('/');
    list.addSubnet(net, Number(bits), isIPv6(net) ? 'ipv6' : 'ipv4');
  }
  return list;
}
