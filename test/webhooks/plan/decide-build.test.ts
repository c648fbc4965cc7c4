import { expect, test } from 'vitest';
import { decideTry } from '../../../src/webhooks/plan/decide-build.ts';
import { failureSignature } from '../../../src/webhooks/plan/failure-signature.ts';

const head = 'abcdef0123456789abcdef0123456789abcdef01';
const checks = [{ name: 'unit', conclusion: 'failure', text: 'Error: no', scripts: ['npm test'] }];
const signature = failureSignature(checks);
const tried = (...signatures: string[]) => ({
  tries: signatures.map((one) => ({ head, signature: one })),
  comments: [],
});
const same =
  'The build of abcdef012345 fails as it did before my last try (unit), so I stop here. Say what to do with /anode fix and some words.';

test('a failure is repaired up to three times, and only while it changes', () => {
  expect(decideTry(checks, tried(), head)).toEqual({
    ...{ kind: 'repair', checks, facts: { signature, command: null } },
  });
  expect(decideTry(checks, tried('1', '2'), head).kind).toBe('repair');
  expect(decideTry(checks, tried('1', '2', '3'), head)).toEqual({
    kind: 'stop',
    reason:
      'The build of abcdef012345 still fails after 3 tries (unit), so I stop here. Say what to do with /anode fix and some words.',
  });
  expect(decideTry(checks, tried(signature), head)).toEqual({ kind: 'stop', reason: same });
});

test('a stop is reported once, and a build that no longer fails is ignored', () => {
  expect(decideTry(checks, { ...tried(signature), comments: [`Hello. ${same}`] }, head)).toEqual({
    ...{ kind: 'ignore', reason: 'the thread was told before why its build is not repaired' },
  });
  expect(decideTry([], tried(), head)).toEqual({
    kind: 'ignore',
    reason: 'no check of the head fails any more',
  });
  const unread =
    'The build of abcdef012345 failed, and I cannot read why. It takes the permissions checks: read and actions: read.';
  const lines = 'Add the lines `checks: read` and `actions: read` under `permissions:` in the workflow.';
  expect([decideTry(null, tried(), head), decideTry(null, tried(), head, 'action')]).toEqual([
    { kind: 'stop', reason: unread, fails: true },
    { kind: 'stop', reason: `${unread} ${lines}`, fails: true },
  ]);
});
