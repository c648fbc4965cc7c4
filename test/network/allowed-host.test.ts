import { describe, expect, it } from 'vitest';
import { hostPattern } from '../../src/config/extension-settings.ts';
import { allowedHost, isAllowedHost } from '../../src/network/allowed-host.ts';

const allowed = ['registry.npmjs.org', '*.Example.com', 'host.test:8443', '10.0.0.7'].map(allowedHost);

describe('a host', () => {
  it.each([
    ['registry.npmjs.org', 443],
    ['REGISTRY.npmjs.org', 80],
    ['registry.npmjs.org.', 443],
    ['a.example.com', 443],
    ['b.a.example.com', 80],
    ['host.test', 8443],
    ['10.0.0.7', 443],
  ])('is allowed: %s at %i', (host, port) => {
    expect(isAllowedHost(host, port, allowed)).toBe(true);
  });

  it.each([
    ['registry.npmjs.org', 22],
    ['registry.npmjs.org.evil.test', 443],
    ['evil-registry.npmjs.org', 443],
    ['example.com', 443],
    ['badexample.com', 443],
    ['a.example.com.evil.test', 443],
    ['*.example.org', 443],
    ['host.test', 443],
    ['10.0.0.70', 443],
    ['', 443],
  ])('is refused: %s at %i', (host, port) => {
    expect(isAllowedHost(host, port, allowed)).toBe(false);
  });
});

it('any host is allowed at the usual ports if the list has a star', () => {
  const any = [allowedHost('*')];
  expect([isAllowedHost('a.test', 443, any), isAllowedHost('a.test', 22, any)]).toEqual([true, false]);
});

it.each([
  '',
  '*',
  '*.',
  'a b',
  'a/b',
  'user@host',
  'host:0',
  'host:123456',
  '[::1]',
  'a.*.b',
  '.host',
  'host.',
])('"%s" is no valid entry of an allow-list', (entry) => {
  expect(hostPattern.test(entry)).toBe(false);
});
