import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Local, startLocal } from '../uses/support/start-local.ts';

const turned = 'photo-\u202egpj.exe \u2066x\u2069';
const escaped = 'photo-\\u202egpj.exe \\u2066x\\u2069';

let local: Local;
let checkout: string;
beforeAll(async () => {
  local = await startLocal();
  checkout = await local.checkout({ 'a.txt': `${turned}\n` });
  local.learn('say it', () => ({ text: `It is ${turned}.` }));
});
afterAll(() => local.close());

test('direction characters are escaped in every text output, and JSON has the original value', async () => {
  const run = (...args: string[]) => local.anode(checkout, args);
  const text = await run('run', '--prompt', 'say it');
  const json = await run('run', '--prompt', 'say it', '--output', 'json');
  const tool = await run('tools', 'use', 'read_file', '--arg', 'path=a.txt');
  const failed = await run('tools', 'use', `no-\u202etool`);
  expect(text.stdout).toContain(`It is ${escaped}.`);
  expect(JSON.parse(json.stdout).answer).toBe(`It is ${turned}.`);
  expect(tool.stdout).toContain(escaped);
  expect(failed.stderr).toContain('no-\\u202etool');
  const all = [text, json, tool, failed].map(({ stdout, stderr }) => stdout + stderr).join('');
  expect(all).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/u);
});
