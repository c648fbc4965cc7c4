import { expect, test } from 'vitest';
import { runProgram } from '../../../src/workspace/files/run-program.ts';

test('runs a program with PATH alone and returns its end, output and first errors', async () => {
  const script = (text: string) => runProgram('sh', ['-c', text]);
  const [long, talkative] = [await script('head -c 2000000 /dev/zero'), await script('seq 1 9999 >&2')];
  expect([
    await runProgram('env', []),
    await script('echo out; echo " why " >&2; exit 3'),
    await script('kill -9 $$'),
    [long.failed, long.output.length],
    talkative.errors.length,
    talkative.errors.slice(0, 5),
  ]).toEqual([
    { failed: false, output: 'PATH=/usr/local/bin:/usr/bin:/bin\n', errors: '' },
    { failed: true, output: 'out\n', errors: 'why' },
    { failed: true, output: '', errors: '' },
    ...[[false, 2_000_000], 2_000, '1\n2\n3'],
  ]);
});

test('a program that is missing or aborted is an error', async () => {
  await expect(runProgram('no-such-program', [])).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(runProgram('sleep', ['60'], AbortSignal.abort())).rejects.toMatchObject({
    name: 'AbortError',
  });
});
