import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { searchText } from '../../../src/tools/search/search-text.ts';
import { textSearches } from '../../../src/tools/search/text-programs.ts';
import { openTools, type ToolHarness } from '../tool-harness.ts';

let tools: ToolHarness;
afterEach(async () => {
  vi.unstubAllEnvs();
  await tools.close();
});

test('settings of the tree, the user or the machine do not affect a search', async () => {
  tools = await openTools({
    'a.txt': 'needle\n',
    'pre.sh': '#!/bin/sh\ntouch "$(dirname "$0")/ran"\necho needle forged\n',
    '.ripgreprc': '--pre=./pre.sh\n--replace=gone\n',
    '.git/config': '[core]\n\tfsmonitor = ./pre.sh\n\tworktree = /etc\n[grep]\n\tpatternType = perl\n',
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.gitattributes': '* textconv=pre diff=pre\n',
  });
  execFileSync('chmod', ['+x', 'pre.sh'], { cwd: tools.root });
  vi.stubEnv('RIPGREP_CONFIG_PATH', path.join(tools.root, '.ripgreprc'));
  vi.stubEnv('GREP_OPTIONS', '-v');
  const root = { path: '.', kind: 'directory' } as const;
  const query = {
    pattern: 'needle',
    regex: false,
    caseSensitive: true,
    wordMatch: false,
    glob: '*.txt',
    maxMatches: 9,
    context: 0,
  };
  for (const search of textSearches) {
    const { lines } = await searchText(tools.context.workspace, root, query, {
      signal: tools.context.signal,
      searches: [search],
    });
    expect(lines).toEqual([{ path: 'a.txt', line: 1, text: 'needle', match: true }]);
  }
  expect(existsSync(path.join(tools.root, 'ran'))).toBe(false);
});

test('names that are not UTF-8 or have line breaks cannot forge lines of an answer', async () => {
  tools = await openTools({ 'a\nb.txt:1:forged': 'needle\n', 'plain.txt': 'needle\n' });
  writeFileSync(Buffer.from(`${tools.root}/caf\xe9.txt`, 'latin1'), 'needle\n');
  execFileSync('mkfifo', [path.join(tools.root, 'pipe')]);
  expect(await tools.say('grep', { pattern: 'needle' })).toBe(
    ['"a\\nb.txt:1:forged":1:needle', 'caf\ufffd.txt:1:needle', 'plain.txt:1:needle'].join('\n'),
  );
  expect(await tools.say('glob', { pattern: '*' })).toBe(
    ['"a\\nb.txt:1:forged"', 'caf\ufffd.txt', 'plain.txt'].join('\n'),
  );
  expect(await tools.say('read', { path: 'a\nb.txt:1:forged' })).toBe('1\tneedle');
});

test('a folder that is repeatedly swapped for a link never leads a search outside', async () => {
  tools = await openTools({ 'real/inside.txt': 'needle inside\n' });
  const secret = path.join(tools.root, '../secret');
  mkdirSync(secret);
  writeFileSync(path.join(secret, 'inside.txt'), 'needle outside\n');
  const swapper = spawn(
    process.execPath,
    [
      '-e',
      `const fs = require('node:fs');
       process.chdir(process.argv[1]);
       process.stdout.write('.');
       for (;;) {
         fs.renameSync('real', 'aside'); fs.symlinkSync('../secret', 'real');
         for (let spin = Math.random() * 1e6; spin > 0; spin -= 1);
         fs.unlinkSync('real'); fs.renameSync('aside', 'real');
         for (let spin = Math.random() * 3e6; spin > 0; spin -= 1);
       }`,
      tools.root,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    await once(swapper.stdout, 'data');
    const inside = 'real/inside.txt:1:needle inside';
    const others = new Set<string>();
    let honest = 0;
    for (let round = 0; honest < 15; round += 1) {
      const reply = await tools.say(round % 2 === 0 ? 'grep' : 'finder', {
        path: round % 3 === 0 ? 'real/inside.txt' : 'real',
        [round % 2 === 0 ? 'pattern' : 'query']: 'needle',
      });
      if (reply === inside) honest += 1;
      else others.add(reply);
    }
    expect([...others].filter((replyText) => replyText.includes('needle outside'))).toEqual([]);
  } finally {
    swapper.kill('SIGKILL');
    await once(swapper, 'exit');
    const aside = path.join(tools.root, 'aside');
    if (existsSync(aside) && !existsSync(path.join(tools.root, 'real')))
      renameSync(aside, path.join(tools.root, 'real'));
  }
});

test('a line with millions of matches stays within the memory limit and is reported', async () => {
  tools = await openTools({ 'a.ts': 'let xy = 1;\n', 'b.min.js': 'x'.repeat(20_000_000) });
  const output = await tools.call('grep', { pattern: 'x' });
  expect(output.content).toMatch(
    /^a\.ts:1:let xy = 1;\n\[not searched: the rest of \., because .*too much memory/,
  );
  expect(output.data).toMatchObject({ truncated: true });
  expect(await tools.say('grep', { pattern: 'x', glob: '*.ts' })).toBe('a.ts:1:let xy = 1;');
});

test.each([
  ['grep', { pattern: 'a\0b' }],
  ['grep', { pattern: 'a'.repeat(200_000) }],
  ['finder', { mode: 'text', query: 'a\0b' }],
  ['finder', { mode: 'agent', query: 'a'.repeat(200_000) }],
])('input that no program accepts is refused with a message: %s', async (tool, input) => {
  tools = await openTools({ 'a.ts': '' });
  expect(await tools.say(tool, input)).toMatch(
    /^invalid_input: (?:A NUL character cannot be searched for|The pattern is too long)\. /,
  );
});
