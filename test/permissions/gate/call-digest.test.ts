import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { callDigest, shortHash } from '../../../src/permissions/gate/call-digest.ts';

const call = {
  tool: 'bash',
  input: { command: 'ls', list: [{ b: 1, a: null }] },
  targets: { what: 'ls', paths: [{ path: 'a', access: 'read' as const }], commands: ['ls'], urls: ['u'] },
  diff: '+a',
};

test('a digest covers the tool, its input, its targets and the diff, with sorted keys', () => {
  const touched = '{"commands":["ls"],"paths":[{"access":"read","path":"a"}],"urls":["u"]}';
  const whole = `["bash",{"command":"ls","list":[{"a":null,"b":1}]},${touched},"+a"]`;
  const digest = createHash('sha256').update(whole).digest('hex');
  expect([callDigest(call), shortHash(digest)]).toEqual([digest, digest.slice(0, 16)]);
});

test('the order of fields and the description of a call do not change its digest', () => {
  const { targets } = call;
  const same = {
    ...{ ...call, input: { list: [{ a: null, b: 1 }], command: 'ls' } },
    targets: { ...targets, what: 'other', paths: [{ access: 'read' as const, path: 'a', more: 1 }] },
  };
  expect(callDigest(same)).toBe(callDigest(call));
});

test('no targets and an empty list of targets give the same digest', () => {
  const none = { tool: 'x', input: {}, targets: { what: 'x' }, diff: undefined };
  const empty = { ...none, targets: { what: 'x', paths: [], commands: [], urls: [] } };
  expect(callDigest(none)).toBe(callDigest(empty));
});

test('every difference gives another digest', () => {
  const { targets } = call;
  const others = [
    call,
    { ...call, tool: 'exec' },
    { ...call, input: { ...call.input, command: 'ls -a' } },
    { ...call, input: { ...call.input, list: [{ b: 1 }] } },
    { ...call, targets: { ...targets, paths: [{ path: 'a', access: 'write' as const }] } },
    { ...call, targets: { ...targets, paths: [{ path: 'b', access: 'read' as const }] } },
    { ...call, targets: { ...targets, commands: ['ls', 'ls'] } },
    { ...call, targets: { ...targets, urls: [] } },
    { ...call, diff: '' },
    { ...call, diff: undefined },
  ];
  expect(new Set(others.map(callDigest)).size).toBe(others.length);
});
