import { expect, test } from 'vitest';
import { isDummyKey, isDummySecret, secretValues } from '../../src/config/secret-values.ts';

test('placeholders are no secrets, short words are no keys, and everything else is a secret', () => {
  const values = [
    'ollama',
    'EMPTY',
    'lm-studio',
    '<your key>',
    'xxxxxx',
    'sunshine',
    'npm-token',
    'sk-4f9aQ2',
  ];
  expect(values.map((value) => [value, isDummySecret(value), isDummyKey(value)])).toEqual([
    ['ollama', true, true],
    ['EMPTY', true, true],
    ['lm-studio', true, true],
    ['<your key>', true, true],
    ['xxxxxx', true, true],
    ['sunshine', false, true],
    ['npm-token', false, false],
    ['sk-4f9aQ2', false, false],
  ]);
});

test('a password may be a word; a key and a provider’s key may not', () => {
  const environment = {
    DB_PASSWORD: 'sunshine',
    OWN_KEY: 'moonlit',
    LOCAL: 'ollama',
    API_TOKEN: 'sk-4f9aQ2',
  };
  const providers = { own: { apiKey: '{env:LOCAL}' } };
  expect(secretValues(environment, providers)).toEqual(['sunshine', 'sk-4f9aQ2']);
});
