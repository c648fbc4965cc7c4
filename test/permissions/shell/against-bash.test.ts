import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyseScript } from '../../../src/permissions/shell/analyse-script.ts';
import type { ShellWord } from '../../../src/permissions/shell/simple-command.ts';
import { available, runnerPlace } from '../../sandbox/runner-fixture.ts';
import { anyScript, damaged, programs } from './script-arbitrary.ts';

const place = runnerPlace();

/**
 * Writes its arguments to `$CALLS` at once, because several may run in parallel: bash writes line
 * by line, so a line must not end inside them.
 */
const logging = `#!/bin/bash -p
set -- "\${0##*/}" "$@"
IFS=$'\\1'
call=$*
printf '%s\\2' "\${call//$'\\n'/$'\\3'}" >> "$CALLS"
`;

/**
 * Runs each script with bash in its own folder, with programs that log their calls, for at most a
 * second.
 */
const driver = `cd "$1" || exit
for script in scripts/*; do
  number=\${script##*/}
  mkdir "work/$number"
  (
    export CALLS="$1/calls/$number" PATH="$1/bin:/usr/bin:/bin"
    cd "work/$number" && timeout -s KILL 1 bash "$1/scripts/$number" </dev/null >/dev/null 2>&1
  )
done
true`;

interface Ran {
  readonly script: string;
  /** The words of each call of a program, the program's own name first. */
  readonly calls: readonly (readonly string[])[];
  /** Files that the script left behind. */
  readonly files: readonly string[];
}

async function runAll(scripts: readonly string[]): Promise<Ran[]> {
  const root = place.root;
  for (const folder of ['bin', 'scripts', 'work', 'calls']) mkdirSync(join(root, folder));
  for (const name of programs) writeFileSync(join(root, 'bin', name), logging, { mode: 0o755 });
  for (const [index, script] of scripts.entries())
    writeFileSync(join(root, 'scripts', String(index)), script);
  writeFileSync(join(root, 'driver.sh'), driver);
  const run = await place.runnerOf('required');
  const { exitCode } = await run(`bash driver.sh ${root}`, { timeoutMs: 120_000 });
  expect(exitCode).toBe(0);
  const logs = new Set(readdirSync(join(root, 'calls')));
  return scripts.map((script, index) => {
    const log = logs.has(String(index)) ? readFileSync(join(root, 'calls', String(index)), 'utf8') : '';
    const calls = log.replaceAll('\u0003', '\n').split('\u0002').slice(0, -1);
    return {
      script,
      calls: calls.map((call) => call.split('\u0001')),
      files: readdirSync(join(root, 'work', String(index))).filter((name) => name !== 'nohup.out'),
    };
  });
}

/** Whether a call could be of these words; a computed word stands for any number of them. */
function covers(words: readonly ShellWord[], call: readonly string[]): boolean {
  const [word, ...others] = words;
  if (word === undefined) return call.length === 0;
  if (word.value !== null) return call[0] === word.value && covers(others, call.slice(1));
  return Array.from({ length: call.length + 1 }).some((_, count) => covers(others, call.slice(count)));
}

/**
 * Programs or files that the parser did not find; scripts that no rule could allow are not checked.
 */
function unseen({ script, calls, files }: Ran) {
  const { commands, redirections, syntaxError, unknown } = analyseScript(script);
  if (syntaxError !== null || unknown !== null) return { judged: false, calls: [], files: [] };
  return {
    judged: true,
    calls: calls.filter((call) => !commands.some(({ words }) => covers(words, call))),
    files: files.filter(
      (file) =>
        !redirections.some(({ access, paths }) => access === 'write' && (paths?.includes(file) ?? true)),
    ),
  };
}

describe.skipIf(!available)('the parser finds everything that bash runs', () => {
  it.each([
    ['generated', anyScript, 160, 100],
    ['damaged', damaged(anyScript), 160, 20],
  ] as const)('in %s scripts', async (_kind, scripts, numRuns, least) => {
    const ran = await runAll(
      fc.sample(scripts, { seed: 4_711, numRuns }).filter((one) => !one.includes('\0')),
    );
    const results = ran.map((one) => ({ script: one.script, ran: one.calls.length, ...unseen(one) }));
    expect(results.filter(({ calls, files }) => calls.length + files.length > 0)).toEqual([]);
    const compared = results.filter(({ judged }) => judged).reduce((sum, one) => sum + one.ran, 0);
    expect(compared).toBeGreaterThan(least);
  });
});
