import { createInterface } from 'node:readline';
import * as z from 'zod';
import { pushRefusal, violations } from './protection.ts';

/**
 * git's pre-receive hook of a repository with protected branches: reads the moves, prints
 * objections and ends with 1. The new commits are in git's quarantine, which its variables name.
 */
const Rules = z.object({
  directory: z.string(),
  /** The repository's page. */
  page: z.string(),
  defaultBranch: z.string(),
  pushProtection: z.boolean(),
  protections: z.array(
    z.looseObject({ kind: z.enum(['protected branch', 'ruleset']), branches: z.string() }),
  ),
});

const zero = '0'.repeat(40);
const rules = Rules.parse(JSON.parse(process.env.PUSH_RULES ?? ''));
const repository = {
  ...rules,
  protections: rules.protections.map((rule) => ({ ...rule, branches: new RegExp(rule.branches) })),
};
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    (entry): entry is [string, string] => /^GIT_/.test(entry[0]) && entry[1] !== undefined,
  ),
);
for await (const line of createInterface({ input: process.stdin })) {
  const [before = zero, after = zero, ref = ''] = line.split(' ');
  const orNull = (sha: string) => (sha === zero ? null : sha);
  const move = { ref, before: orNull(before), after: orNull(after), signed: false };
  const found = await violations(repository, move, env);
  if (found.length === 0) continue;
  process.stderr.write(`${pushRefusal(ref, found, rules.page)}\n`);
  process.exitCode = 1;
}
