import { describe, expect, it } from 'vitest';
import { isOpenableAddress, isPublicAddress } from '../../src/network/public-address.ts';

describe('an address', () => {
  it.each([
    ['127.0.0.1', '10.1.2.3', '172.31.255.255', '192.168.0.1', '100.64.0.1', '169.254.169.254', '0.0.0.0'],
    ['168.63.129.16', '224.0.0.1', '255.255.255.255', '198.18.0.1', '192.0.0.192'],
    ['::', '::1', '::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '0:0:0:0:0:ffff:0a00:0001', '64:ff9b::a00:1'],
    ['fe80::1', 'fe80::1%eth0', 'fd00::1', 'fec0::1', 'ff02::1', '2002:7f00:1::', '2001:db8::1', '2001::1'],
    [
      '::ffff:0:7f00:1',
      '::ffff:0:127.0.0.1',
      '100::1',
      '5f00::1',
      '4000::1',
      '9000::1',
      'c000::1',
      '1fff::1',
    ],
  ])('that is not public is recognised (%#)', (...addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });

  it('of the internet is recognised as public', () => {
    const addresses = ['1.1.1.1', '104.16.0.1', '172.32.0.1', '2606:4700::6810:1', '::ffff:1.1.1.1'];
    expect(addresses.filter(isPublicAddress)).toEqual(addresses);
  });

  it('of a cloud’s metadata service cannot be opened by any setting, while private ones can', () => {
    const metadata = [
      '169.254.169.254',
      '::ffff:169.254.169.254',
      '168.63.129.16',
      '100.100.100.200',
      'fd00:ec2::254',
      'fd20:ce::254',
      'fd20:00ce:0:0::254',
      '64:ff9b::169.254.169.254',
      '64:ff9b::a83f:8110',
      '64:ff9b:1::a9fe:a9fe',
      '::a9fe:a9fe',
      '2002:a9fe:a9fe::1',
    ];
    expect(metadata.filter(isOpenableAddress)).toEqual([]);
    const openable = ['127.0.0.1', '::1', '10.0.0.1', 'fd00::1', 'fd20:ce::253', '64:ff9b::a00:1'];
    expect(openable.filter(isOpenableAddress)).toEqual(openable);
  });
});
