import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readEnvironment, requireApp, requireToken } from '../../src/config/environment.ts';

const pem = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
}).privateKey.trim();

describe('readEnvironment', () => {
  it('has defaults where they exist, and null for the rest', () => {
    expect(readEnvironment({ GITHUB_TOKEN: '', UNRELATED: 'x' })).toEqual({
      apiUrl: 'https://api.github.com',
      serverUrl: 'https://github.com',
      githubToken: null,
      appId: null,
      privateKey: null,
      webhookSecret: null,
      databaseUrl: null,
      dataDirectory: '.anode-data',
      stateSecret: null,
      port: 3000,
      host: '127.0.0.1',
      logLevel: 'info',
      sandbox: 'required',
      publicUrl: null,
      keepRunsDays: 30,
      keepRunsMegabytes: 10_000,
      writeLimits: true,
      metricsToken: null,
      stallSeconds: 60,
    });
  });

  it('accepts the private key as PEM, on one line, in base64 and from a file', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'anode-key-')), 'key.pem');
    writeFileSync(path, `${pem}\n`);
    const keys = [
      { PRIVATE_KEY: pem },
      { PRIVATE_KEY: pem.replaceAll('\n', '\\n') },
      { PRIVATE_KEY: Buffer.from(pem).toString('base64') },
      { PRIVATE_KEY_PATH: path },
    ].map((env) => readEnvironment(env).privateKey);
    expect(keys).toEqual([pem, pem, pem, pem]);
  });

  it.each([
    ['APP_ID', 'twelve', "APP_ID is set, but not to the number on the App's settings page."],
    ['PORT', '99999', 'PORT is set, but not to a number from 0 to 65535.'],
    [
      'DATABASE_URL',
      'mysql://x',
      'DATABASE_URL is set, but not to a URL such as postgres://user:password@host/database.',
    ],
    [
      'GITHUB_API_URL',
      'api.github.com',
      'GITHUB_API_URL is set, but not to a URL such as https://api.github.com or https://HOST/api/v3.',
    ],
    [
      'PRIVATE_KEY',
      'c2VjcmV0',
      "PRIVATE_KEY is set, but not to the App's private key, as PEM or as base64 of the PEM.",
    ],
    [
      'PRIVATE_KEY_PATH',
      '/nowhere',
      "PRIVATE_KEY_PATH is set, but not to the path of the App's private key file.",
    ],
    [
      'ANODE_STATE_SECRET',
      'short',
      'ANODE_STATE_SECRET is set, but not to at least 16 characters, the same for every run.',
    ],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL is set, but not to trace, debug, info, warn, error, fatal or silent.'],
  ])('names %s if it is invalid, and never its value', (key, value, message) => {
    expect(() => readEnvironment({ [key]: value })).toThrow(
      expect.objectContaining({ name: 'ConfigError', key, message }),
    );
  });
});

it('names the first missing credential of the App and the remedy', () => {
  expect(() => requireApp(readEnvironment({ APP_ID: '3' }))).toThrow(
    "PRIVATE_KEY is not set (or its path in PRIVATE_KEY_PATH). Set it to the App's private key, as PEM or as base64 of the PEM.",
  );
  expect(() => requireToken(readEnvironment({}))).toThrow(
    'GITHUB_TOKEN is not set. Set it to a token that may read the repository.',
  );
  expect(requireApp(readEnvironment({ APP_ID: '3', PRIVATE_KEY: pem, WEBHOOK_SECRET: 's' }))).toEqual({
    appId: 3,
    privateKey: pem,
    webhookSecret: 's',
  });
});
