import { readFile } from 'node:fs/promises';
import { TrustedRoot } from '@sigstore/protobuf-specs';
import seeds from '@sigstore/tuf/seeds.json' with { type: 'json' };
import { ConfigError } from '../contract/errors.ts';
import { parseJson } from '../contract/json.ts';

/**
 * Reads the root of trust for keyless signatures: the file that is named, else the root of
 * Sigstore's public instance as its own package brings it. Throws `ConfigError` for a file without
 * a certificate authority and a log.
 */
export async function readTrustedRoot(file: string | null): Promise<TrustedRoot> {
  const text = file === null ? publicRoot : await readFile(file, 'utf8').catch(() => '');
  const root = rootOf(text);
  if (root !== null) return root;
  throw new ConfigError(`${file} is no trusted root of Sigstore as JSON, with an authority and a log.`, {
    key: 'ANODE_TRUSTED_ROOT',
  });
}

const publicRoot = Buffer.from(
  seeds['https://tuf-repo-cdn.sigstore.dev'].targets['trusted_root.json'],
  'base64',
).toString('utf8');

function rootOf(text: string): TrustedRoot | null {
  const json = parseJson(text);
  if (typeof json !== 'object' || json === null) return null;
  try {
    const root = TrustedRoot.fromJSON(json);
    return root.certificateAuthorities.length > 0 && root.tlogs.length > 0 ? root : null;
  } catch {
    // Its only errors are about the form of the text.
    return null;
  }
}
