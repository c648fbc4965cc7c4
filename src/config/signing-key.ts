import { createPrivateKey, type KeyObject } from 'node:crypto';
import { ConfigError } from '../contract/errors.ts';
import { readPrivateKey } from './environment.ts';

/**
 * Returns the key in `ANODE_SIGNING_KEY`, an Ed25519 private key as PEM or base64 of it; null
 * without one. Throws `ConfigError`, without the value, for any other text.
 */
export function signingKey(environment: Readonly<Record<string, string | undefined>>): KeyObject | null {
  const text = environment.ANODE_SIGNING_KEY?.trim() ?? '';
  if (text === '') return null;
  const pem = readPrivateKey(text);
  const key = pem === null ? null : createPrivateKey(pem);
  if (key?.asymmetricKeyType === 'ed25519') return key;
  const remedy = 'Make one by `openssl genpkey -algorithm ed25519`, as PEM or as base64 of the PEM.';
  throw new ConfigError(`ANODE_SIGNING_KEY is set, but to no Ed25519 private key. ${remedy}`, {
    key: 'ANODE_SIGNING_KEY',
  });
}
