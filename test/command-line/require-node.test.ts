import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { oldestNode, requireNode } from '../../src/command-line/require-node.ts';
import { ConfigError } from '../../src/contract/errors.ts';

test('an older Node is refused with the remedy', () => {
  const refused = () => requireNode('20.20.2', '/usr/bin/node');
  expect(refused).toThrow(ConfigError);
  expect(refused).toThrow(
    'Anode needs Node 24 or newer, and this is Node 20.20.2 (/usr/bin/node). Install a newer one, or put it first on PATH.',
  );
});

test('the required Node and any newer version are accepted', () => {
  expect(['24.0.0', '24.21.0', '26.1.0', '100.0.0'].map((version) => requireNode(version, 'node'))).toEqual(
    Array.from({ length: 4 }, () => undefined),
  );
});

test('the package requires the same Node', () => {
  const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(engines).toEqual({ node: `>=${oldestNode}` });
});
