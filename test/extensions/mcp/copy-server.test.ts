import { expect, test } from 'vitest';
import { codeFromCheckout } from '../../../src/extensions/mcp/copy-server.ts';

test('a server runs code of the checkout through variables of interpreters and options, not through its data', () => {
  const of = (words: readonly string[], variables: Readonly<Record<string, string>> = {}) =>
    codeFromCheckout('/repo', words, variables);
  expect([
    of(['node', '--import=/repo/hook.mjs', 'srv.js']),
    of(['python3', '-m', 'srv'], { PYTHONPATH: '/opt/lib:/repo/src' }),
    of(['srv'], { NODE_OPTIONS: '--require /repo/a.cjs' }),
    of(['srv'], { PATH: '/usr/bin:/repo' }),
    of(['srv', '/repo', '--config=/repo/srv.json', '--import=/repository/a.mjs'], { DATA: '/repo/data' }),
    of(['srv'], { PYTHONPATH: '/repository/src', PATH: '/usr/bin' }),
  ]).toEqual([
    'what --import=/repo/hook.mjs names',
    'what PYTHONPATH leads to',
    'what NODE_OPTIONS leads to',
    'what PATH leads to',
    null,
    null,
  ]);
});
