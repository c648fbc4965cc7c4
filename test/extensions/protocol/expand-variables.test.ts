import { expect, test } from 'vitest';
import { expandAll, expandVariables } from '../../../src/extensions/protocol/expand-variables.ts';

test('variables are replaced if they are set or have a default, and all other text stays', () => {
  const given = { A: 'one', EMPTY: '' };
  const texts = ['%{A}/{env:A}/%{EMPTY:-none}/%{B:-}', '%A %{1} {env:}', '%{HOME}', '{env:constructor}'];
  expect(texts.map((text) => expandVariables(text.replaceAll('%', '$'), given))).toEqual([
    { text: 'one/one/none/' },
    { text: `$A \${1} {env:}` },
    { missing: 'HOME' },
    { missing: 'constructor' },
  ]);
});

test('the first of several texts with a missing variable is reported, with the remedy', () => {
  const given = { holder: 'mcp:web', variables: { KEY: 'k' } };
  expect([
    expandAll({ Accept: '*/*', Authorization: 'Bearer {env:KEY}' }, 'header', given),
    expandAll({ Accept: '*/*', Authorization: '{env:OTHER}' }, 'header', given),
  ]).toEqual([
    { texts: { Accept: '*/*', Authorization: 'Bearer k' } },
    {
      problem:
        "its header Authorization names the variable OTHER, which it is not given (env.pass: { 'mcp:web': [OTHER] }) or which is not set",
    },
  ]);
});
