import { expect, test } from 'vitest';
import { urlInput } from '../../../src/extensions/web/url-input.ts';

test.for([
  ['https://a.test/b?c=d', 'https://a.test/b?c=d'],
  ['  a.test/b  ', 'https://a.test/b'],
  ['http://a.test', 'http://a.test/'],
  ['a.test:8080/b', 'https://a.test:8080/b'],
  ['https://a.test./b#part', 'https://a.test/b'],
  ['https://a.b.test/x', 'https://a.b.test/x'],
  ['https://A.test/%41%7e%2f%20%5F', 'https://a.test/A~%2F%20_'],
  ['https://a.test/%2d%2E%2fa%c3%a9', 'https://a.test/-.%2Fa%C3%A9'],
  ['HTTPS://a.test/', 'https://a.test/'],
  ['https://a.test/%zz', 'https://a.test/%zz'],
])('%s is requested as %s', ([given, url]) => {
  expect(urlInput().parse(given)).toBe(url);
});

test.for([
  'ftp://a.test/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'view-source:https://a.test',
  'xhttps://a.test',
  'https-x://a.test',
  'https://me@a.test/',
  'https://:word@a.test/',
  'https://',
  '',
  'a b',
])('%s cannot be requested', (given) => {
  expect(
    urlInput()
      .safeParse(given)
      .error?.issues.map(({ message }) => message),
  ).toEqual(['it has to be an http or https URL without a user name and a password']);
});

test('a URL has at most 2,000 characters', () => {
  const long = (length: number) => urlInput().safeParse(`https://a.test/${'a'.repeat(length - 15)}`).success;
  expect([long(2000), long(2001)]).toEqual([true, false]);
});
