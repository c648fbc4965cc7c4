import * as z from 'zod';
import { integer, unlessNull } from '../input/lenient.ts';
import { scriptIn, scriptOf } from '../shell/script-of.ts';

const longestTimeoutMs = 1_800_000;

/** Default timeouts of a run and its checks, in milliseconds. */
export const defaultTimeouts = { run: 600_000, checks: 300_000 } as const;

/** Schema of an optional command, in the forms `bash` takes. */
export function commandSchema() {
  return unlessNull(
    z
      .union([z.string().trim().min(1).transform(scriptIn), z.array(z.string()).min(1).transform(scriptOf)])
      .meta({ type: 'string', anyOf: undefined }),
  );
}

/** Schema of an optional timeout in milliseconds, capped at 30 minutes. */
export function timeoutSchema() {
  return unlessNull(integer(z.int().positive()).transform((ms) => Math.min(ms, longestTimeoutMs)));
}
