import { expect, test } from 'vitest';
import { expandAll, expandVariables } from '../../../src/extensions/protocol/expand-variables.ts';

test('variables are put in where they are given or have a default, and nothing else is touched', () => {
  const given = { A: 'one', EMPTY: '' };
  const texts = ['%{A}/{env:A}/%{EMPTY:-none}/%{B:-}', '%A %{1} {env:}', '%{HOME}', '{env:constructor}'];
  expect(texts.map((text) => expandVariables(text.replaceAll('%', '$'), given))).toEqual([
    { text: 'one/one/none/' },
    { text: `$A \${1} {env:}` },
    { missing: 'HOME' },
    { missing: 'constructor' },
  ]);
});

test('of several texts the one that names what is missing is told, and how it is given', () => {
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
