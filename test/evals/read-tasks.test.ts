import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readEvalTasks } from '../../src/evals/read-tasks.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'anode-tasks-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function task(name: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name, file)), { recursive: true });
    await writeFile(path.join(folder, name, file), text);
  }
}

test('reads the tasks of a folder by name, and one task by its own folder', async () => {
  await task('b', {
    'task.yml': 'prompt: Do.\ncheck: { command: "true", timeoutSeconds: 5 }\n',
    'repo/a': '',
  });
  await task('a', { 'task.yml': 'prompt: Do.\ncheck: "false"\n', 'repo/a': '', 'solution.patch': 'x' });
  await task('none', { 'README.md': 'no task' });
  expect(
    (await readEvalTasks(folder)).map(({ name, check, reference }) => ({ name, check, reference })),
  ).toEqual([
    {
      name: 'a',
      check: { command: 'false', timeoutSeconds: 120 },
      reference: { patch: 'x', outcome: null, transcript: null },
    },
    { name: 'b', check: { command: 'true', timeoutSeconds: 5 }, reference: null },
  ]);
  expect(await readEvalTasks(path.join(folder, 'a'))).toMatchObject([{ name: 'a' }]);
});

test('names file, line and key of a fault', async () => {
  await task('a', { 'task.yml': 'prompt: Do.\nchek: x\n', 'repo/a': '' });
  await expect(readEvalTasks(folder)).rejects.toThrow(
    /a\/task\.yml:2:1: unknown key chek\. Did you mean check\?/,
  );
  await task('a', { 'task.yml': 'prompt: Do.\ncheck: x\nlimits: { maxTurn: 3 }\n' });
  await expect(readEvalTasks(folder)).rejects.toThrow(
    /a\/task\.yml:3:11: unknown key limits\.maxTurn\. Did you mean maxTurns\?/,
  );
});

test('refuses a folder without tasks, a task without files, and a review without a change', async () => {
  await expect(readEvalTasks(folder)).rejects.toThrow(/has no task/);
  await task('a', { 'task.yml': 'prompt: Do.\ncheck: x\n' });
  await expect(readEvalTasks(folder)).rejects.toThrow(/there is no folder repo beside it/);
  await task('a', { 'task.yml': 'verb: review\nprompt: Do.\ncheck: x\n', 'repo/a': '' });
  await expect(readEvalTasks(folder)).rejects.toThrow(/verb review needs change\.patch/);
});
