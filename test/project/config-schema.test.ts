import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { configSchema, schemaFile } from '../../scripts/config-schema.ts';

test('the JSON Schema in the repository is the one that checks the configuration', () => {
  expect(readFileSync(schemaFile, 'utf8'), 'run: node scripts/config-schema.ts').toBe(configSchema());
});

test('the JSON Schema accepts the documented examples and refuses a misspelt key', () => {
  const validate = new Ajv2020({ strict: false, formats: { uri: true } }).compile(JSON.parse(configSchema()));
  const documented = {
    permissions: {
      preset: 'careful',
      rules: [{ tool: 'bash', matches: { command: 'npm test*' }, action: 'allow' }],
    },
    limits: { maxTurns: 40, maxCostUsd: 2 },
  };
  expect([documented, { permisions: {} }].map((config) => validate(config))).toEqual([true, false]);
});
