import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { cloudVariables, refuseReadableCredentials } from '../../../src/agent/models/named-models.ts';
import type { Config } from '../../../src/config/schema.ts';
import { ConfigError } from '../../../src/contract/errors.ts';

const aws = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'];

it.each<[string, Config, string | null, string[]]>([
  ['no cloud at all', { model: 'anthropic/claude-opus-5' }, null, []],
  ['the model of the run', {}, 'bedrock/claude-x', aws],
  [
    'a model to fall back to, by an alias',
    { models: { fallback: ['aws-bedrock/claude-x'] } },
    'openai/gpt',
    aws,
  ],
  [
    'a provider of the operator’s',
    { model: 'ours/x', providers: { ours: { type: 'vertex' } } },
    null,
    ['GOOGLE_APPLICATION_CREDENTIALS'],
  ],
])('finds the credentials of %s', (_title, config, chosen, expected) => {
  expect(cloudVariables(config, chosen)).toEqual(expected);
});

const google = { GOOGLE_APPLICATION_CREDENTIALS: '/srv/checkout/gha-creds-1.json' };

it('refuses credentials inside the checkout', () => {
  const check = () => refuseReadableCredentials({ model: 'vertex/claude-x' }, null, google, '/srv/checkout');
  expect(check).toThrow(ConfigError);
  expect(check).toThrow('GOOGLE_APPLICATION_CREDENTIALS names a file in the checkout');
});

it('also refuses them if the checkout has another path or the file links into it', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'anode-cloud-'));
  const at = (...names: string[]) => path.join(folder, ...names);
  await mkdir(at('checkout'));
  await writeFile(at('checkout', '..key.json'), '{}');
  await symlink(at('checkout'), at('other'));
  await symlink(at('checkout', '..key.json'), at('link.json'));
  const check = (file: string, root: string) => () =>
    refuseReadableCredentials(
      { model: 'vertex/claude-x' },
      null,
      { GOOGLE_APPLICATION_CREDENTIALS: file },
      root,
    );
  expect(check(at('other', '..key.json'), at('checkout'))).toThrow(ConfigError);
  expect(check(at('checkout', '..key.json'), at('other'))).toThrow(ConfigError);
  expect(check(at('link.json'), at('checkout'))).toThrow(ConfigError);
  await rm(folder, { recursive: true });
});

it.each<[string, string, string]>([
  ['lie elsewhere', 'vertex/claude-x', '/srv/checkout-2'],
  ['are not for the model', 'openai/gpt', '/srv/checkout'],
])('accepts credentials that %s', (_title, model, root) => {
  expect(refuseReadableCredentials({ model }, null, google, root)).toBeUndefined();
});
