import { BlockList, isIP, isIPv6 } from 'node:net';

/** IANA's special-purpose registries (RFC 6890), multicast, and the wire server of Azure, which has a public address. */
const special = blockList([
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24',
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
  '168.63.129.16/32',
  '::/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 5f00::/16',
  'fc00::/7 fe80::/10 fec0::/10 ff00::/8',
]);

/** Where a cloud tells its machines their credentials; no setting opens these. */
const metadata = blockList([
  '169.254.0.0/16 168.63.129.16/32 100.100.100.200/32 fe80::/10 fd00:ec2::254/128',
]);

/** Whether an address belongs to the public internet: not private, not of this machine, not link-local. */
export function isPublicAddress(address: string): boolean {
  return !isIn(address, special);
}

/** Whether a host, as it is written, is a private address, so that whoever wrote it knows: no name is looked up. */
export function namesPrivateAddress(host: string): boolean {
  return isIP(host) === 0 ? host === 'localhost' : !isPublicAddress(host);
}

/** Whether an address may be reached where an operator has opened private ones: anything but a cloud's metadata. */
export function isOpenableAddress(address: string): boolean {
  return !isIn(address, metadata);
}

function isIn(address: string, list: BlockList): boolean {
  const plain = address.split('%')[0] ?? '';
  const mapped = mappedIPv4(plain);
  if (mapped !== null) return list.check(mapped, 'ipv4');
  return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
}

/** The IPv4 address that an IPv6 one stands for (RFC 4291, 2.5.5.2), in whichever way it is written. */
function mappedIPv4(address: string): string | null {
  if (!isIPv6(address)) return null;
  // The parser of URLs knows all spellings and has one for each address.
  const normal = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const parts = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(normal);
  if (parts === null) return null;
  const [high, low] = [Number.parseInt(parts[1] ?? '', 16), Number.parseInt(parts[2] ?? '', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function blockList(lines: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of lines.join(' ').split(' ')) {
    const [net = '', bits] = range.split('/');
    list.addSubnet(net, Number(bits), isIPv6(net) ? 'ipv6' : 'ipv4');
  }
  return list;
}
