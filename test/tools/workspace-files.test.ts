import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Json } from '../../src/contract/json.ts';
import { openTools, type ToolHarness } from './tool-harness.ts';

let tools: ToolHarness | undefined;
afterEach(() => tools?.close());

/** A run with these files of its own. */
async function open(files: Readonly<Record<string, string>> = {}) {
  tools = await openTools({ 'src/a.ts': 'checkout\n' });
  const { say, call, tree, entries, root } = tools;
  const on = (name: string, input: { readonly [key: string]: Json } = {}) => say(`workspace.${name}`, input);
  for (const [name, content] of Object.entries(files)) await on('write_file', { path: name, content });
  return { on, call, tree, entries, folder: path.join(root, '../storage') };
}

test('the folder is created at its first use, and the checkout and its changes never include it', async () => {
  const { on, tree, entries, folder } = await open();
  expect(existsSync(folder)).toBe(false);
  expect(await on('write_file', { path: './output/main.md', content: 'one\n' })).toBe(
    'Created output/main.md (4 bytes).',
  );
  expect(readFileSync(path.join(folder, 'output/main.md'), 'utf8')).toBe('one\n');
  expect(tree()).toEqual({ 'src/a.ts': 'checkout\n' });
  expect(entries).toEqual([]);
});

test('the root has several names and lists the folders with their files', async () => {
  const { on, call } = await open({
    'output/main.md': 'x',
    'scratch/a/b/c/deep.md': 'four',
    'persist/notes.md': 'note',
  });
  const all = [
    'output/',
    'output/main.md  1 byte',
    'persist/',
    'persist/notes.md  4 bytes',
    'plan/',
    'scratch/',
    'scratch/a/  (1 entry)',
    'summaries/',
  ].join('\n');
  expect(
    await Promise.all(
      [{}, { path: '' }, { path: '.' }, { path: './' }, { path: null }].map((input) =>
        on('list_files', input),
      ),
    ),
  ).toEqual([all, all, all, all, all]);
  expect(await on('list_files', { path: 'scratch', depth: '4' })).toBe(
    'scratch/a/\nscratch/a/b/\nscratch/a/b/c/\nscratch/a/b/c/deep.md  4 bytes',
  );
  expect(await on('list_files', { depth: 1 })).toContain('scratch/  (1 entry)');
  expect(await on('list_files', { path: 'plan' })).toBe('plan/ is empty.');
  expect((await call('workspace_list_files', { path: 'output/main.md' })).data).toEqual({
    path: 'output/main.md',
    entries: [{ path: 'output/main.md', bytes: 1 }],
  });
  expect(await on('list_files', { path: 'output/no.md' })).toBe(
    'not_found: output/no.md does not exist. Leave path out to see what there is.',
  );
});

test('limits beyond the documented ones are refused', async () => {
  const { on } = await open();
  const output = [
    await on('list_files', { depth: 5 }),
    await on('search_files', { query: 'x', limit: 51 }),
    await on('search_files', { query: 'x', context_lines: 6 }),
    await on('read_file', { path: 'output/a', max_chars: 80_001 }),
  ];
  expect(output.map((text) => text.slice(0, 40))).toEqual([
    'invalid_input: Wrong arguments for works',
    'invalid_input: Wrong arguments for works',
    'invalid_input: Wrong arguments for works',
    'invalid_input: Wrong arguments for works',
  ]);
});

test('paths cannot leave the visible folders', async () => {
  const { on, folder } = await open({ 'output/main.md': 'x' });
  writeFileSync(path.join(folder, '../secret.txt'), 'secret');
  symlinkSync('../../secret.txt', path.join(folder, 'output/link'));
  const kinds: (string | undefined)[] = [];
  for (const name of [
    '../secret.txt',
    'output/../../secret.txt',
    '/etc/passwd',
    'src/a.ts',
    'a.md',
    'ledger.jsonl',
  ]) {
    const write = await on('write_file', { path: name, content: 'x' });
    const patch = await on('apply_patch', { path: name, old_string: 'a', new_string: 'b' });
    const read = await on('read_file', { path: name });
    kinds.push(
      ...[write, patch, read, await on('list_files', { path: name })].map((reply) => reply.split(':')[0]),
    );
  }
  expect(kinds).toEqual(Array.from({ length: 24 }, () => 'outside_workspace'));
  expect(await on('read_file', { path: 'output/link' })).toMatch(/^outside_workspace: /);
  expect(await on('write_file', { path: 'output/link', content: 'x' })).toMatch(
    /^(symlink|outside_workspace): /,
  );
  expect(await on('search_files', { query: 'secret' })).toBe('No match for "secret".');
  expect(readFileSync(path.join(folder, '../secret.txt'), 'utf8')).toBe('secret');
  expect(
    [
      await on('write_file', { path: 'output', content: 'x' }),
      await on('read_file', { path: 'output' }),
      await on('write_file', { path: 'output/a\nb', content: 'x' }),
      await on('write_file', { path: 'output/.git/config', content: 'x' }),
      await on('write_file', { path: 'output/nul', content: 'a\0b' }),
    ].map((replyText) => replyText.split(':')[0]),
  ).toEqual(['is_directory', 'is_directory', 'invalid_input', 'protected', 'invalid_input']);
});

test('replace writes the whole file, and append adds exactly the given text', async () => {
  const { on, folder } = await open();
  const replies = [
    await on('write_file', { path: 'scratch/log', content: 'a', mode: 'append' }),
    await on('write_file', { path: 'scratch/log', content: 'b\n', mode: 'append' }),
    await on('write_file', { path: 'scratch/log', content: 'ä', mode: 'append' }),
  ];
  expect(readFileSync(path.join(folder, 'scratch/log'), 'utf8')).toBe('ab\nä');
  replies.push(await on('write_file', { path: 'scratch/log', content: '' }));
  expect(replies).toEqual([
    'Created scratch/log (1 byte).',
    'Added to scratch/log (3 bytes).',
    'Added to scratch/log (5 bytes).',
    'Replaced scratch/log (0 bytes).',
  ]);
  expect(await on('read_file', { path: 'scratch/log' })).toBe('(the file is empty)');
});

test('each write stores the earlier content', async () => {
  const { on, folder } = await open({ 'plan/a.md': 'one' });
  await on('write_file', { path: 'plan/a.md', content: 'two' });
  await on('apply_patch', { path: 'plan/a.md', old_string: 'two', new_string: 'three' });
  const stored = path.join(`${folder}-before`);
  const lines = readFileSync(path.join(stored, 'index.jsonl'), 'utf8').trimEnd().split('\n');
  const images = lines.map(
    (line) => JSON.parse(line) as { path: string; before: string | null; tool: string },
  );
  expect(
    images.map(({ path: at, before, tool }) => ({
      at,
      tool,
      before: before === null ? null : readFileSync(path.join(stored, before), 'utf8'),
    })),
  ).toEqual([
    { at: 'plan/a.md', tool: 'workspace.write_file', before: null },
    { at: 'plan/a.md', tool: 'workspace.write_file', before: 'one' },
    { at: 'plan/a.md', tool: 'workspace.apply_patch', before: 'two' },
  ]);
});

test('a checkpoint that cannot be written fails the run and leaves the file unchanged', async () => {
  const { on, call, folder } = await open();
  await on('list_files');
  writeFileSync(`${folder}-before`, 'in the way');
  const write = call('workspace.write_file', { path: 'plan/a.md', content: 'two' });
  await expect(write).rejects.toMatchObject({ code: 'EEXIST' });
  expect(existsSync(path.join(folder, 'plan/a.md'))).toBe(false);
});

const numbers = Array.from({ length: 1200 }, (_, index) => `line ${index + 1}\n`).join('');

test('a file is read by lines or by characters, with the next start', async () => {
  const { on } = await open({
    'output/n.txt': numbers,
    'output/emoji': 'a😀b',
    'output/wide': 'x'.repeat(5000),
  });
  const whole = await on('read_file', { path: 'output/n.txt' });
  expect([whole.slice(0, 8), whole.slice(-56)]).toEqual([
    '1\tline 1',
    '00\tline 1000\n[lines 1-1000 of 1200; continue with start_line 1001]'.slice(-56),
  ]);
  expect([
    await on('read_file', { path: 'output/n.txt', start_line: 3, line_count: 2 }),
    await on('read_file', { path: 'output/n.txt', start_char: 9, max_chars: 10 }),
    await on('read_file', { path: 'output/n.txt', start_char: numbers.length - 5 }),
    await on('read_file', { path: 'output/emoji', max_chars: 2 }),
    await on('read_file', { path: 'output/wide', start_char: 4990 }),
  ]).toEqual([
    '3\tline 3\n4\tline 4\n[lines 3-4 of 1200]',
    `2\tne 2\n3\tline \n[characters 9-19 of ${numbers.length}; cut by max_chars, continue with start_char 19]`,
    `1200\t1200\n[characters ${numbers.length - 5}-${numbers.length} of ${numbers.length}]`,
    '1\ta😀\n[characters 0-3 of 4; cut by max_chars, continue with start_char 3]',
    '1\txxxxxxxxxx\n[characters 4990-5000 of 5000]',
  ]);
  expect([
    await on('read_file', { path: 'output/n.txt', start_line: 1, start_char: 0 }),
    await on('read_file', { path: 'output/emoji', start_char: 9 }),
    await on('read_file', { path: 'output/emoji', start_line: 9 }),
    await on('read_file', { path: 'output/no' }),
  ]).toEqual([
    'invalid_input: Lines and characters cannot be mixed: give start_line and line_count, or start_char and max_chars.',
    'invalid_input: output/emoji has only 4 characters; the start lies past its end.',
    expect.stringMatching(/^invalid_input: output\/emoji has only 1 line/),
    'not_found: output/no does not exist.',
  ]);
});

test('search finds text in all folders, ignoring case, and counts omitted matches', async () => {
  const { on } = await open({
    'output/a.md': 'one\nTODO (x)\nthree\nfour\nfive\nsix\ntodo (x)\n',
    'scratch/.gitignore': '*\n',
    'scratch/b.md': 'todo (x)',
  });
  expect([
    await on('search_files', { query: 'todo (x)', context_lines: 1 }),
    await on('search_files', { query: 'todo (x)', context_lines: 0, limit: 2 }),
    await on('search_files', { query: 'todo (x)', path: 'scratch', context_lines: 0 }),
    await on('search_files', { query: 'nowhere', path: 'output/a.md' }),
    await on('search_files', { query: 'x', path: 'plan/no' }),
  ]).toEqual([
    'output/a.md-1-one\noutput/a.md:2:TODO (x)\noutput/a.md-3-three\n--\noutput/a.md-6-six\noutput/a.md:7:todo (x)\n--\nscratch/b.md:1:todo (x)',
    'output/a.md:2:TODO (x)\noutput/a.md:7:todo (x)\n[2 of 3 matches; raise limit or narrow path]',
    'scratch/b.md:1:todo (x)',
    'No match for "nowhere".',
    'not_found: plan/no does not exist. workspace.list_files shows what there is.',
  ]);
});

test('apply_patch replaces a unique exact match, or every match if requested', async () => {
  const { on, folder } = await open({ 'plan/a.md': 'a $& a\nb\n  c\n' });
  const patch = (old_string: string, new_string: string, rest = {}) =>
    on('apply_patch', { path: 'plan/a.md', old_string, new_string, ...rest });
  const untouched = [
    await patch('a', 'x'),
    await patch(' c\nd', 'x'),
    await patch('c ', 'x'),
    await patch('', 'x'),
    await patch('b', 'b'),
    await on('apply_patch', { path: 'plan/no.md', old_string: 'a', new_string: 'b' }),
  ];
  expect(untouched).toEqual([
    'ambiguous: old_string stands 2 times in plan/a.md, at lines 1, 1. Add the text around it until it is unique, or set replace_all.',
    expect.stringMatching(/^not_found: old_string does not stand in plan\/a\.md; it must match exactly/),
    expect.stringMatching(/^not_found: old_string does not stand in plan\/a\.md; it must match exactly/),
    'invalid_input: old_string is empty. To write the whole file, or to add to its end, use workspace.write_file.',
    'invalid_input: new_string is the same as old_string; nothing would change in plan/a.md.',
    'not_found: plan/no.md does not exist. Write it with workspace.write_file; workspace.list_files shows what there is.',
  ]);
  expect(await patch('b', '$& $1')).toBe('Patched plan/a.md in 1 place:\n1\ta $& a\n2\t$& $1\n3\t  c');
  await patch('a', '', { replace_all: 'true' });
  expect(readFileSync(path.join(folder, 'plan/a.md'), 'utf8')).toBe(' $& \n$& $1\n  c\n');
});

test('a file that something else changed since it was read is refused', async () => {
  const { on, folder } = await open({ 'plan/a.md': 'a' });
  await on('read_file', { path: 'plan/a.md' });
  writeFileSync(path.join(folder, 'plan/a.md'), 'b');
  const refused = 'changed_since_read: plan/a.md changed since it was last read. Read it again first.';
  expect([
    await on('apply_patch', { path: 'plan/a.md', old_string: 'b', new_string: 'c' }),
    await on('write_file', { path: 'plan/a.md', content: 'c' }),
  ]).toEqual([refused, refused]);
  await on('read_file', { path: 'plan/a.md' });
  expect(await on('apply_patch', { path: 'plan/a.md', old_string: 'b', new_string: 'c' })).toBe(
    'Patched plan/a.md in 1 place:\n1\tc',
  );
});
