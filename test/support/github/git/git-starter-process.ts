/** A process of its own: runs git for the tests' process, and ends with it. See `git-starter.ts`. */

import { spawn } from 'node:child_process';
import type { GitAnswer, GitCall } from './git-starter.ts';

process.on('message', ({ id, args, cwd, env, input }: GitCall) => {
  const output: Buffer[] = [];
  const errors: Buffer[] = [];
  const answer = (code: number) => {
    const reported: GitAnswer = { id, code, output: Buffer.concat(output), errors: Buffer.concat(errors) };
    // The caller may be gone.
    process.send?.(reported, undefined, {}, () => {});
  };
  const child = spawn('git', args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  // git may end before it has read all of its input; its exit code says what matters.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  child.on('error', (error) => {
    errors.push(Buffer.from(error.message));
    answer(128);
  });
  child.on('close', (code) => answer(code ?? 128));
});
process.on('disconnect', () => process.exit());
