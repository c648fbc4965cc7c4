import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allTextOf, call, lastResults } from '../uses/support/conversation.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

let local: Local;
beforeAll(async () => {
  local = await startLocal();
});
afterAll(() => local.close());

const count = (text: string, part: string) => text.split(part).length - 1;

test('a run gets instructions once they apply, and reads the same text after an answer', async () => {
  const mine = path.join(local.home, '.config/anode/skills/deploy');
  await mkdir(mine, { recursive: true });
  await writeFile(path.join(mine, 'SKILL.md'), '---\ndescription: Put it live\n---\nPush the button.\n');
  const folder = await local.checkout({
    'AGENTS.md': 'Be brief. @docs/style.md',
    'docs/style.md': 'Use tabs.',
    'api/AGENTS.md': 'Version every route.',
    'api/a.ts': 'a\n',
    'api/b.ts': 'b\n',
    '.github/instructions/ts.instructions.md': "---\napplyTo: '**/*.ts'\n---\nNo any.\n",
    '.agents/skills/house.md': 'Our way\n\nDo as we do.',
  });
  const question = { question: 'Which way?', options: ['left', 'right'] };
  const read = { name: 'worldinfo.read_activated', args: { entries: [{ ref: 'api/AGENTS.md' }] } };
  local.learn('look around', (turn) => {
    if (turn === 1) return { calls: [call('read', { path: 'api/a.ts' })] };
    if (turn === 2) return { calls: [call('read', { path: path.join(folder, 'api/b.ts') })] };
    if (turn === 3) return { calls: [call('use_tool', { name: 'skill', args: { name: 'deploy' } })] };
    if (turn === 4) return { calls: [call('ask_user', question)] };
    if (turn === 5) return { calls: [call('use_tool', read), call('read', { path: 'api/b.ts' })] };
    return { text: 'Seen.' };
  });
  const args = ['--sandbox', 'off', '--output', 'json'];
  const first = await local.anode(folder, ['run', '--prompt', 'look around', ...args]);
  const { run_id } = JSON.parse(first.stdout);
  await writeFile(path.join(folder, 'api/AGENTS.md'), 'Something else.');
  const second = await local.anode(folder, ['resume', run_id, 'left', ...args]);
  expect([first.code, second.code]).toEqual([4, 0]);

  const requests = local.requestsFor('look around');
  const [start, afterRead, afterMore, afterSkill] = requests.map((request) => allTextOf(request));
  expect(start).toContain(`Skills, instructions for kinds of work (use_tool skill {name}):
deploy: Put it live
house: Our way
browse_wiki, bug_hunt, code_review, `);
  expect(start).toContain(`Instructions of this repository (AGENTS.md):
Be brief. @docs/style.md

[docs/style.md, included by AGENTS.md]
Use tabs.
</repository>`);
  expect(start).not.toContain('Version every route.');
  const told = `Instructions of this repository for api/ (api/AGENTS.md):
Version every route.

Instructions of this repository for **/*.ts (.github/instructions/ts.instructions.md):
No any.`;
  expect([count(afterRead ?? '', told), count(afterMore ?? '', 'Version every route.')]).toEqual([1, 1]);
  expect(afterSkill).toContain('Push the button.');
  const last = requests.at(-1);
  expect(last === undefined ? '' : lastResults(last)).toBe(
    '===== api/AGENTS.md (for api/) =====\nVersion every route.\n1\tb',
  );
  for (const [index, { messages, system }] of requests.entries()) {
    const next = requests[index + 1];
    if (next !== undefined)
      expect([next.system, next.messages.slice(0, messages.length)]).toEqual([system, messages]);
  }
});
