import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../../contract/json.ts';
import type { Targets } from '../policy/policy.ts';

/** How much of a digest people type: enough that nobody hits upon another call by chance. */
const shownLength = 16;

/**
 * The SHA-256 (hex) of what a call would do: the tool, its parsed input, what it would touch and the diff its
 * `prepare` found. The same call gives the same digest whatever the order of its arguments.
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

/** The part of a digest that stands in a comment and is typed to approve it. */
export function shownHash(digest: string): string {
  return digest.slice(0, shownLength);
}

function sorted(value: Json | undefined): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value ?? null;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
}
