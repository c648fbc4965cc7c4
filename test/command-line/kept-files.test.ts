import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, lastResults } from '../uses/support/conversation.ts';
import { type Local, localKey, startLocal } from '../uses/support/start-local.ts';

let local: Local;
beforeAll(async () => {
  local = await startLocal();
});
afterAll(() => local.close());

const write = (at: string, content: string) => call('workspace_write_file', { path: at, content });
const readNotes = call('use_tool', { name: 'workspace.read_file', args: { path: 'persist/notes.md' } });

/** `anode run` or `resume`, and what it reports. */
async function anode(folder: string, ...args: string[]) {
  const { code, stdout, stderr } = await local.anode(folder, [...args, '--output', 'json']);
  if (stdout === '') throw new Error(stderr);
  const report = JSON.parse(stdout) as { run_id: string; conclusion: string; changes: unknown[] };
  const record = path.join(folder, '.anode-harness', report.run_id);
  return { code, report, record, conclusion: report.conclusion };
}

/** What the last request of a task got back from its tools. */
function seenBy(words: string): string {
  const request = local.requestsFor(words).at(-1);
  if (request === undefined) throw new Error(`nobody asked for ${words}`);
  return lastResults(request);
}

test('a successful run passes its files to later runs in the same checkout only', async () => {
  const folder = await local.checkout({ 'a.txt': 'red\n' });
  const note = `remember, the key is ${localKey}\n`;
  local.learn('leave a note', (turn) =>
    turn === 1
      ? { calls: [write('persist/notes.md', note), write('output/x/y.md', 'out')] }
      : { text: 'Done.' },
  );
  local.learn('read the note', (turn) => (turn === 1 ? { calls: [readNotes] } : { text: 'Read.' }));
  const state = path.join(local.home, '.local/state/anode');
  const { record, report } = await anode(folder, 'run', '--prompt', 'leave a note');
  expect(report.changes).toEqual([]);
  expect(readFileSync(path.join(record, 'storage/output/x/y.md'), 'utf8')).toBe('out');
  expect(readFileSync(path.join(record, 'storage/persist/notes.md'), 'utf8')).not.toContain(localKey);
  expect(readdirSync(path.join(record, 'storage')).sort()).toEqual(['output', 'persist']);
  expect(statSync(state).mode & 0o777).toBe(0o700);

  await anode(folder, 'run', '--prompt', 'read the note');
  expect(seenBy('read the note')).toMatch(/^1\tremember, the key is \S*redacted\S*$/i);
  local.learn('look back', (turn, request) => {
    if (turn === 1) return { calls: [call('find_thread', { query: 'leave a note' })] };
    const thread_id = /thread_id="(\S+)"/.exec(lastResults(request))?.[1] ?? '';
    return turn === 2 ? { calls: [call('read_thread', { thread_id })] } : { text: 'Seen.' };
  });
  await anode(folder, 'run', '--prompt', 'look back');
  expect(seenBy('look back')).toContain('[workspace_write_file {"path":"persist/notes.md"');
  expect(seenBy('look back')).not.toContain(localKey);
  const byHand = await local.anode(folder, ['tools', 'use', 'find_thread', '--arg', 'query=leave a note']);
  expect(byHand.stdout).toContain('asked: leave a note');
  await anode(await local.checkout({ 'a.txt': 'red\n' }), 'run', '--prompt', 'read the note');
  expect(seenBy('read the note')).toBe('persist/notes.md does not exist.');
});

test('the files of an unsuccessful run stay in its record', async () => {
  const folder = await local.checkout({ 'a.txt': 'red\n' });
  local.learn('never end', (turn) => ({ calls: [write('persist/notes.md', `turn ${turn}`)] }));
  const first = await anode(folder, 'run', '--prompt', 'never end', '--max-turns', '2');
  expect([first.conclusion, existsSync(path.join(first.record, 'storage/persist/notes.md'))]).toEqual([
    'limit',
    true,
  ]);
  await anode(folder, 'run', '--prompt', 'read the note');
  expect(seenBy('read the note')).toBe('persist/notes.md does not exist.');
});

test('a resumed run has its own files, and tasks stay for later runs', async () => {
  const folder = await local.checkout({ 'a.txt': 'red\n' });
  const patch = { path: 'scratch/plan.md', old_string: 'Which', new_string: 'Blue' };
  local.learn('ask first', (turn) => {
    if (turn === 1) {
      return {
        calls: [
          write('scratch/plan.md', 'Which colour?'),
          write('persist/notes.md', 'asked'),
          call('task_list', { action: 'create', taskID: 'paint', title: 'Paint it' }),
          call('ask_user', { question: 'Which colour?' }),
        ],
      };
    }
    return turn === 2 ? { calls: [call('workspace_apply_patch', patch)] } : { text: 'Done.' };
  });
  local.learn('look at the tasks', (turn) =>
    turn === 1 ? { calls: [call('task_list', { action: 'list' }), readNotes] } : { text: 'Seen.' },
  );
  const waiting = await anode(folder, 'run', '--prompt', 'ask first');
  expect(waiting.conclusion).toBe('waiting');
  await anode(folder, 'run', '--prompt', 'look at the tasks');
  expect(seenBy('look at the tasks')).toBe('[ ] paint: Paint it\npersist/notes.md does not exist.');
  expect((await anode(folder, 'resume', waiting.report.run_id, 'blue')).conclusion).toBe('success');
  expect(seenBy('ask first')).toBe('Patched scratch/plan.md in 1 place:\n1\tBlue colour?');
  await anode(folder, 'run', '--prompt', 'look at the tasks');
  expect(seenBy('look at the tasks')).toBe('[ ] paint: Paint it\n1\tasked');
});
