import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Config } from '../../config/schema.ts';
import { signingKey } from '../../config/signing-key.ts';
import type { BundleOpener, TrustedSigners } from '../../evidence/verify-commit.ts';

type Settings = NonNullable<Config['agentCommits']>;
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns whom `agentCommits` believes: its keys, the public half of our own, and its identities in
 * jobs of the repository (`https://github.com/acme/shop`). Throws `ConfigError` for a trusted root
 * that is none.
 */
export async function trustedSigners(
  settings: Settings,
  repository: string,
  environment: Environment,
): Promise<TrustedSigners> {
  const { identities = [] } = settings;
  const openBundle =
    identities.length === 0 ? null : await openerFor({ ...settings, identities, repository }, environment);
  return { publicKeys: keysOf(settings, environment), openBundle };
}

/** Makes the check of keyless signatures. Loads Sigstore's library. */
export async function openerFor(
  trust: {
    readonly identities: readonly string[];
    readonly issuer?: string | undefined;
    readonly repository: string;
  },
  { ANODE_TRUSTED_ROOT: file = '' }: Environment,
): Promise<BundleOpener> {
  const { actionsIssuer, bundleOpener } = await import('../../evidence/open-bundle.ts');
  const { readTrustedRoot } = await import('../../evidence/trusted-root.ts');
  const root = await readTrustedRoot(file === '' ? null : file);
  const { identities, issuer = actionsIssuer, repository } = trust;
  return bundleOpener({ identities, issuer, repository, root });
}

/** Returns the keys to believe: the configured ones, and the public half of our own. */
function keysOf({ publicKeys = [] }: Settings, environment: Environment): KeyObject[] {
  const own = signingKey(environment);
  const keys = [
    ...publicKeys.map((pem) => createPublicKey(pem)),
    ...(own === null ? [] : [createPublicKey(own)]),
  ];
  return keys.filter(({ asymmetricKeyType }) => asymmetricKeyType === 'ed25519');
}
