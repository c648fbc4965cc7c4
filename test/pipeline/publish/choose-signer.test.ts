import { expect, test } from 'vitest';
import { decideSigning } from '../../../src/pipeline/publish/choose-signer.ts';

const facts = { hasKey: false, hasIdentity: true, isPrivate: false, setting: undefined };

test('the key of the operator stands above an identity', () => {
  const key = { ...facts, hasKey: true };
  expect(
    [key, { ...key, setting: 'keyless' as const }, { ...key, hasIdentity: false, isPrivate: true }].map(
      decideSigning,
    ),
  ).toEqual(['key', 'key', 'key']);
});

test('an identity signs in public repositories, and elsewhere where the configuration says so', () => {
  expect([
    decideSigning(facts),
    decideSigning({ ...facts, isPrivate: true }),
    decideSigning({ ...facts, isPrivate: true, setting: 'keyless' }),
    decideSigning({ ...facts, setting: 'key' }),
    decideSigning({ ...facts, hasIdentity: false }),
    decideSigning({ ...facts, hasIdentity: false, setting: 'keyless' }),
  ]).toEqual(['keyless', 'none', 'keyless', 'none', 'none', 'impossible']);
});
