import { expect, test } from 'vitest';
import { allowedHost, hostOf, portOf } from '../../src/network/allowed-host.ts';
import { isOpenableAddress, isPublicAddress, namesPrivateAddress } from '../../src/network/public-address.ts';
import { resolveHost } from '../../src/network/resolve-host.ts';

const names: Readonly<Record<string, readonly string[]>> = {
  'public.test': ['1.1.1.1', '2606:4700::1'],
  'half.test': ['1.1.1.1', '10.0.0.1'],
  'private.test': ['10.0.0.1'],
  'cloud.test': ['169.254.169.254'],
  'none.test': [],
};
const policy = {
  allowed: ['*.test', '1.1.1.1', '10.0.0.7'].map(allowedHost),
  privateAllowed: ['private.test', 'cloud.test', 'half.test:8443'].map(allowedHost),
};
const resolve = (host: string, port = 443, change = {}) =>
  resolveHost(host, port, { ...policy, ...change }, async (name) => names[name] ?? ['0.0.0.0']);

test.each<[host: string, resolved: Awaited<ReturnType<typeof resolveHost>>]>([
  ['public.test', { address: '1.1.1.1', addresses: ['1.1.1.1', '2606:4700::1'] }],
  ['1.1.1.1', { address: '1.1.1.1', addresses: ['1.1.1.1'] }],
  ['10.0.0.7', { refused: 'it leads to a private address' }],
  ['half.test', { refused: 'it leads to a private address' }],
  ['private.test', { address: '10.0.0.1', addresses: ['10.0.0.1'] }],
  ['cloud.test', { refused: 'it leads to a private address' }],
  ['none.test', { refused: 'it has no address' }],
  ['a.example', { refused: 'it is not among the allowed hosts' }],
])('%s is found or refused with a reason', async (host, resolved) => {
  expect(await resolve(host)).toEqual(resolved);
});

test('a list holds the readable name of a host, and a private host is allowed at its port only', async () => {
  expect([
    await resolve('a.example', 443, { allowedAs: 'egress.hosts' }),
    await resolve('half.test', 80),
  ]).toEqual([{ refused: 'it is not among egress.hosts' }, { refused: 'it leads to a private address' }]);
});

test('an entry without a port allows both web ports, and a URL allows one', () => {
  expect([allowedHost('A.Test'), allowedHost('a.test:22')]).toEqual([
    { name: 'a.test', ports: [443, 80] },
    { name: 'a.test', ports: [22] },
  ]);
  const urls = ['https://a.test/x', 'http://a.test', 'https://a.test:8443', 'http://[::1]:81/'];
  expect(urls.map((url) => hostOf(new URL(url)))).toEqual([
    { name: 'a.test', ports: [443] },
    { name: 'a.test', ports: [80] },
    { name: 'a.test', ports: [8443] },
    { name: '::1', ports: [81] },
  ]);
  expect([portOf({ protocol: 'https:', port: '' }), portOf({ protocol: 'ws:', port: '' })]).toEqual([
    443, 80,
  ]);
});

test('the ends of each non-public range are in it, and the addresses next to it are not', () => {
  const ranges = [
    ...['0.0.0.0 0.255.255.255', '10.0.0.0 10.255.255.255', '100.64.0.0 100.127.255.255'],
    ...['127.0.0.0 127.255.255.255', '169.254.0.0 169.254.255.255', '172.16.0.0 172.31.255.255'],
    ...['192.0.0.0 192.0.0.255', '192.0.2.0 192.0.2.255', '192.88.99.0 192.88.99.255'],
    ...['192.168.0.0 192.168.255.255', '198.18.0.0 198.19.255.255', '198.51.100.0 198.51.100.255'],
    ...['203.0.113.0 203.0.113.255', '224.0.0.0 239.255.255.255', '240.0.0.0 255.255.255.255'],
    ...[
      '168.63.129.16 168.63.129.16',
      '::2 ::ffff',
      '64:ff9b::1 64:ff9b::ffff',
      '64:ff9b:1:: 64:ff9b:1:ffff::',
    ],
    ...['100:: 100::ffff', '2001:: 2001:1ff::', '2001:db8:: 2001:db8:ffff::', '2002:: 2002:ffff::'],
    ...[
      '3fff:: 3fff:fff::',
      '5f00:: 5f00:ffff::',
      'fc00:: fdff::',
      'fe80:: febf::',
      'fec0:: feff::',
      'ff00:: ffff::',
      // Given out to nobody.
      '64:ff9b:2:: 100:0:0:1:: 1fff:ffff:: 4000:: 5f01:: fbff:: fe00::',
    ],
  ].flatMap((range) => range.split(' '));
  expect(ranges.filter(isPublicAddress)).toEqual([]);
  const outside = [
    ...[
      '1.0.0.0',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '126.255.255.255',
      '128.0.0.0',
    ],
    ...['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.0', '192.0.3.0'],
    ...['192.88.98.255', '192.88.100.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0'],
    ...['198.51.99.255', '198.51.101.0', '203.0.112.255', '203.0.114.0', '223.255.255.255', '168.63.129.15'],
    ...['168.63.129.17', '2000::', '2001:200::', '2001:db9::', '2003::', '3ffe:ffff::', '3fff:1000::'],
  ];
  expect(outside.filter((address) => !isPublicAddress(address))).toEqual([]);
});

test('an operator can open all addresses but the metadata addresses of clouds', () => {
  const closed = ['169.254.0.0', '169.254.255.255', '168.63.129.16', '100.100.100.200', 'fe80::1', 'febf::1'];
  const opened = ['169.253.0.1', '168.63.129.15', '100.100.100.201', 'fd00:ec2::255', 'fec0::1', '10.0.0.1'];
  expect([closed.filter(isOpenableAddress), opened.filter((one) => !isOpenableAddress(one))]).toEqual([
    [],
    [],
  ]);
});

test('a private address is recognised from its spelling, without a look-up', () => {
  const hosts = [
    'localhost',
    '127.0.0.1',
    '::1',
    '1.1.1.1',
    'private.test',
    'localhost.test',
    '2606:4700::1',
  ];
  expect(hosts.filter(namesPrivateAddress)).toEqual(['localhost', '127.0.0.1', '::1']);
});
