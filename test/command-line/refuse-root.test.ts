import { expect, test } from 'vitest';
import { refuseRoot } from '../../src/command-line/serve-command.ts';
import { ConfigError } from '../../src/contract/errors.ts';

test('an App as root is refused with the remedy, unless its operator allows it by 1', () => {
  for (const [user, allowed] of [
    [1000, undefined],
    [undefined, undefined],
    [0, '1'],
  ] as const)
    expect(() => refuseRoot(user, allowed)).not.toThrow();
  for (const allowed of [undefined, '', '0', 'true'])
    expect(() => refuseRoot(0, allowed)).toThrow(ConfigError);
  expect(() => refuseRoot(0, undefined)).toThrow(/Start it as a user of its own .*ANODE_ALLOW_ROOT=1/);
});
