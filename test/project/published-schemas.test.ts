import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { publishedSchemas } from '../../scripts/published-schemas.ts';

/** A validator of the published schema whose file has that name. */
function validatorOf(name: string) {
  const schema = publishedSchemas().find(({ file }) => file.endsWith(`/${name}`));
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  return ajv.compile(JSON.parse(schema?.text ?? ''));
}

test.for(publishedSchemas())('$file is the schema that checks the data', ({ file, text }) => {
  expect(readFileSync(file, 'utf8'), 'run: node scripts/published-schemas.ts').toBe(text);
});

test('the schema of the configuration accepts the documented examples and refuses a misspelt key', () => {
  const validate = validatorOf('anode.schema.json');
  const documented = {
    permissions: {
      preset: 'careful',
      rules: [{ tool: 'bash', matches: { command: 'npm test*' }, action: 'allow' }],
    },
    limits: { maxTurns: 40, maxCostUsd: 2 },
  };
  expect([documented, { permisions: {} }].map((config) => validate(config))).toEqual([true, false]);
});

test('the schema of the run ledger accepts an entry and refuses one without its number', () => {
  const validate = validatorOf('run-ledger.schema.json');
  const line = { v: 1, seq: 1, at: '2026-01-02T03:04:05.000Z', prev: null };
  const entry = { type: 'turn.started', turn: 1 };
  expect([
    validate({ ...line, entry }),
    validate({ ...line, entry: { type: 'turn.started' } }),
    validate({ ...line, seq: undefined, entry }),
  ]).toEqual([true, false, false]);
});
