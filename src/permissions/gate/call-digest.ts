import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../../contract/json.ts';
import type { Targets } from '../policy/policy.ts';

/** Characters of a digest that people type; enough to make collisions impractical. */
const shortLength = 16;

/**
 * Returns the SHA-256 (hex) of a call's tool, parsed input, targets and diff. The order of
 * arguments does not matter.
 */
export function callDigest(call: {
  readonly tool: string;
  readonly input: JsonObject;
  readonly targets: Targets;
  readonly diff: string | undefined;
}): string {
  const { paths, commands, urls } = call.targets;
  const touched = {
    paths: (paths ?? []).map(({ path, access }) => ({ path, access })),
    commands: [...(commands ?? [])],
    urls: [...(urls ?? [])],
  };
  return createHash('sha256')
    .update(JSON.stringify([call.tool, sorted(call.input), sorted(touched), call.diff ?? null]))
    .digest('hex');
}

/** Returns the part of a digest that a comment shows and a person types to approve. */
export function shortHash(digest: string): string {
  return digest.slice(0, shortLength);
}

function sorted(value: Json | undefined): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value ?? null;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
}
