import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FetchHeaders } from '../../../src/agent/models/fetch-headers.ts';

const name = fc.constantFrom('Accept', 'accept', 'X-Key', 'x_key', 'Set-Cookie', 'set-cookie', '', 'no name');
const value = fc.oneof(fc.string(), fc.constantFrom(' padded\t', 'a\nb', 'é', '€', '\0', ''));
const step = fc.record({ does: fc.constantFrom('append', 'set', 'delete'), name, value });

/** The view of a caller with these headers. */
const seen = (headers: Headers) => {
  const each: unknown[] = [];
  headers.forEach((text, key, parent) => void each.push([text, key, parent === headers]));
  return {
    pairs: [...headers],
    entries: [...headers.entries()],
    keys: [...headers.keys()],
    values: [...headers.values()],
    each,
    cookies: headers.getSetCookie(),
    accept: headers.get('ACCEPT'),
    has: headers.has('x-KEY'),
  };
};

/** True when it was accepted; only a TypeError may say otherwise. */
const accepted = (change: () => void): boolean => {
  try {
    change();
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return false;
  }
};

test("headers change as in Node's own class and reject the same values", () => {
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const own = new FetchHeaders();
      const standard = new Headers();
      for (const { does, name, value } of steps) {
        const apply = (headers: Headers) => () => {
          if (does === 'append') headers.append(name, value);
          else if (does === 'set') headers.set(name, value);
          else headers.delete(name);
        };
        expect(accepted(apply(own))).toBe(accepted(apply(standard)));
      }
      expect(seen(own)).toEqual(seen(standard));
    }),
  );
});

test.for([
  [undefined],
  [{ Accept: 'a', 'X-Key': 'b' }],
  [
    [
      ['accept', 'a'],
      ['Accept', 'b'],
    ] satisfies [string, string][],
  ],
  [new Headers({ accept: 'a' })],
] as const)('headers are created from the same values as in the standard: %j', ([init]) => {
  expect(seen(new FetchHeaders(init))).toEqual(seen(new Headers(init)));
});

test('an invalid value is reported without its text', () => {
  expect(() => new FetchHeaders({ 'x-api-key': 'secret\nkey' })).toThrow(
    /^a header holds a character that none can$/,
  );
});
