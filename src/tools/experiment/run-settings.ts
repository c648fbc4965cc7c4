import * as z from 'zod';
import { integer } from '../input/integer.ts';
import { unlessNull } from '../input/unless-null.ts';
import { scriptIn, scriptOf } from '../shell/script-of.ts';

const longestTimeoutMs = 1_800_000;

/** Milliseconds that a run and its checks have where nobody says otherwise. */
export const defaultTimeouts = { run: 600_000, checks: 300_000 } as const;

/** A command as `bash` takes it, which may be left out. */
export function commandSchema() {
  return unlessNull(
    z
      .union([z.string().trim().min(1).transform(scriptIn), z.array(z.string()).min(1).transform(scriptOf)])
      .meta({ type: 'string', anyOf: undefined }),
  );
}

/** Milliseconds, 30 minutes at most, which may be left out. */
export function timeoutSchema() {
  return unlessNull(integer(z.int().positive()).transform((ms) => Math.min(ms, longestTimeoutMs)));
}
