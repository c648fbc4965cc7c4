import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { handOver, scriptFor, shellArguments, waitForScript } from '../../src/sandbox/waiting-shell.ts';

/** The output and exit code of a shell that receives this text on descriptor 3. */
function shellWith(words: string, environment: Record<string, string> = {}): [string, number | null] {
  const file = join(tmpdir(), `anode-script-${process.pid}`);
  writeFileSync(file, words);
  const fd = openSync(file, 'r');
  const env = { PATH: process.env.PATH ?? '', ...environment };
  const { stdout, status } = spawnSync('bash', shellArguments(`exec 2>&1; ${waitForScript}`), {
    stdio: ['ignore', 'pipe', 'inherit', fd],
    env,
    encoding: 'utf8',
  });
  closeSync(fd);
  rmSync(file);
  return [stdout, status];
}

const handed = (command: string, env: Record<string, string> = {}) =>
  handOver(scriptFor({ command, cwd: '/', env, onOutput: () => {} }, { alone: false }));

/** Makes a command long enough to be passed as a long one, without another line. */
const long = (command: string) => `: ${'x'.repeat(4_000)}; ${command}`;

it.each([
  ['short', (command: string) => command],
  ['long', long],
])('runs a %s command as bash runs it, with its own lines, line ends and variables', (_, sized) => {
  const output = [
    'echo one\nnope # and no more\n',
    'echo a\\\n',
    'cat <<E\nhere\n\nE\n',
    'echo end; exit 7',
    'echo "$GREETING$ANODE_BEFORE"; env | grep ANODE',
    'set -e; false; echo never',
  ].map((command) => shellWith(handed(sized(command), { GREETING: "it's" })));
  expect(output).toEqual([
    ['one\nbash: line 2: nope: command not found\n', 127],
    ['a\n', 0],
    ['here\n\n', 0],
    ['end\n', 7],
    ["it's\n", 1],
    ['', 1],
  ]);
});

it('reports the line that bash cannot parse, and none of the variables set before it', () => {
  const [reply, code] = shellWith(handed('for', { TOKEN: 'canary' }));
  expect([reply, code]).toEqual([
    "bash: eval: line 1: syntax error near unexpected token `newline'\nbash: eval: line 1: `for'\n",
    2,
  ]);
});

it.each([
  ['short', 'echo ran; echo ran'],
  ['long', long('echo ran; echo ran')],
])('runs no part of a %s command that was not completely received', (_, command) => {
  const whole = handed(command);
  const started = [0, 1, 10, 30].map((missing) => whole.slice(0, whole.length - missing));
  expect(started.map((words) => shellWith(words))).toEqual([
    ['ran\nran\n', 0],
    ['', 125],
    ['', 125],
    ['', 125],
  ]);
});
