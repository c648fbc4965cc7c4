import { expect, test } from 'vitest';
import { gitMode } from '../../../src/workspace/git/git-mode.ts';

test('a file is executable for git only if its owner may execute it', () => {
  expect([0o644, 0o655, 0o100, 0o755, 0].map(gitMode)).toEqual([
    ...['100644', '100644', '100755', '100755', '100644'],
  ]);
});
