import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Local, startLocal } from '../uses/support/start-local.ts';

let local: Local;
let folder: string;
beforeAll(async () => {
  local = await startLocal();
  folder = await local.checkout({ 'a.txt': 'red\n', 'large.txt': 'a line of some length\n'.repeat(5000) });
});
afterAll(() => local.close());

const tools = (...args: string[]) => local.anode(folder, ['tools', ...args]);

describe('tools list', () => {
  test('prints every tool with aliases, level, read-only flag and source', async () => {
    const { code, stdout } = await tools('list', '--json');
    const listed = JSON.parse(stdout) as { name: string }[];
    expect({
      code,
      chosen: listed.filter(({ name }) => ['patch', 'todo_read', 'PATCH'].includes(name)),
    }).toEqual({
      code: 0,
      chosen: [
        {
          name: 'patch',
          aliases: [],
          permission: 'confirm_write',
          read_only: false,
          source: 'built-in',
          exposure: 'deferred',
        },
        {
          name: 'todo_read',
          aliases: ['TodoRead'],
          permission: 'auto_read',
          read_only: true,
          source: 'built-in',
          exposure: 'deferred',
        },
      ],
    });
  });

  test('shows only tools that the profile may call and the configuration does not disable', async () => {
    const config = path.join(folder, '..', 'config.json');
    const mine = { extends: 'review', allow: ['*'], deny: ['glob'] };
    await writeFile(config, JSON.stringify({ tools: { disabled: ['gre*'] }, profiles: { mine } }));
    const { stdout } = await tools('list', '--json', '--profile', 'mine', '--config', config);
    const names = (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
    expect(
      ['read', 'grep', 'glob', 'bash', 'report_findings'].filter((name) => names.includes(name)),
    ).toEqual(['read', 'report_findings']);
  });

  test('refuses an unknown profile', async () => {
    const { code, stderr } = await tools('list', '--profile', 'nobody');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(
        /^There is no profile "nobody"\. Known profiles: craft, quick, study, review, [a-z, ]+\.\n$/,
      ),
    });
  });
});

describe('tools show', () => {
  test('prints level, aliases and schema of a tool by any of its names', async () => {
    const { code, stdout } = await tools('show', 'list_files', '--json');
    expect({ code, shown: JSON.parse(stdout) }).toEqual({
      code: 0,
      shown: {
        name: 'glob',
        aliases: ['Glob', 'list_files'],
        permission: 'auto_read',
        read_only: true,
        source: 'built-in',
        description: expect.any(String),
        exposure: 'advertised',
        argument_aliases: expect.any(Object),
        input_schema: {
          type: 'object',
          properties: {
            pattern: { type: 'string' },
            path: { type: 'string' },
            limit: { type: 'integer' },
            include_hidden: { type: 'boolean' },
          },
          required: ['pattern'],
        },
        unadvertised: [],
      },
    });
  });

  test.each([['show'], ['show', 'nothing'], ['fetch'], []])('is bad usage as %j', async (...args) => {
    expect((await tools(...args)).code).toBe(2);
  });
});

describe('tools use', () => {
  test('runs a reading tool and prints its result', async () => {
    const { code, stdout, stderr } = await tools('use', 'read', '--arg', 'path=a.txt');
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '1\tred\n', stderr: '' });
  });

  test('takes --arg over --arg-json, and that over --json', async () => {
    const { stdout } = await tools(
      'use',
      'multi_read',
      '--json',
      '{"paths": ["nothing"], "start_line": 9}',
      '--arg-json',
      'paths=["a.txt"]',
      '--arg',
      'start_line=1',
    );
    expect(stdout).toBe('===== a.txt =====\n1\tred\n');
  });

  test('prints the result as an object', async () => {
    const { code, stdout } = await tools('use', 'read', '--arg', 'path=a.txt', '--output', 'json');
    expect({ code, result: JSON.parse(stdout) }).toEqual({
      code: 0,
      result: { ok: true, content: '1\tred', data: expect.any(Object) },
    });
  });

  test('stores a long result in a file and prints the path', async () => {
    const { stdout } = await tools(
      'use',
      'read',
      '--json',
      '{"path":"large.txt","end_line":5000}',
      '--output',
      'json',
    );
    const { content, spill } = JSON.parse(stdout) as { content: string; spill: string };
    expect(content).toContain(spill);
    expect((await readFile(spill, 'utf8')).split('\n')).toHaveLength(5000);
  });

  test("ends with 1 and the tool's error, as an object if requested", async () => {
    const text = await tools('use', 'read', '--arg', 'path=nothing.txt');
    const json = await tools('use', 'read', '--arg', 'path=nothing.txt', '--output', 'json');
    expect({ text, json: { code: json.code, error: JSON.parse(json.stdout) } }).toEqual({
      text: { code: 1, stdout: '', stderr: 'nothing.txt does not exist.\n' },
      json: {
        code: 1,
        error: { ok: false, error: { kind: 'not_found', message: 'nothing.txt does not exist.' } },
      },
    });
  });

  test('runs no changing tool without --allow-non-read', async () => {
    const { code, stdout } = await tools('use', 'bash', '--arg', 'command=touch b.txt', '--output', 'json');
    expect({ code, error: JSON.parse(stdout) }).toEqual({
      code: 1,
      error: {
        ok: false,
        error: {
          kind: 'refused',
          message:
            'bash is of the level confirm_execute and was not run: it does not only read. --allow-non-read runs it.',
        },
      },
    });
  });

  test('refuses protected files even with --allow-non-read', async () => {
    const { code, stderr } = await tools(
      'use',
      'create_file',
      '--json',
      '{"path":".github/workflows/ci.yml","content":"x"}',
      '--allow-non-read',
    );
    expect({ code, refused: stderr.startsWith('Refused: ') }).toEqual({ code: 1, refused: true });
  });

  test('stores files outside persist/ separately, and passes on those in persist/', async () => {
    const write = (at: string) =>
      tools('use', 'workspace.write_file', '--allow-non-read', '--json', `{"path":"${at}","content":"note"}`);
    const read = (at: string) => tools('use', 'workspace.read_file', '--arg', `path=${at}`);
    const own = await write('scratch/a.md');
    const place = /^The file is kept in (\S+)\. Later calls start without it: /.exec(own.stderr)?.[1] ?? '';
    expect({ ...own, stderr: await readFile(path.join(place, 'scratch/a.md'), 'utf8') }).toEqual({
      code: 0,
      stdout: 'Created scratch/a.md (4 bytes).\n',
      stderr: 'note',
    });
    expect(await write('persist/a.md')).toMatchObject({ code: 0, stderr: '' });
    expect([(await read('scratch/a.md')).code, (await read('persist/a.md')).stdout]).toEqual([
      1,
      '1\tnote\n',
    ]);
  });

  test.each([
    ['bash', '{"command":"sleep 600","run_in_background":true}'],
    ['shell_session', '{"action":"open","command":"sleep 600"}'],
    ['shell_session', '{"action":"poll","session_id":"1"}'],
  ])('refuses to leave a program running: %s %s', async (name, input) => {
    expect(await tools('use', name, '--allow-non-read', '--json', input)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^A call by hand ends with all that it has started, /),
    });
  });

  test('reports an omitted registered repository', async () => {
    const config = path.join(folder, '..', 'repositories.yml');
    await writeFile(config, 'workspace:\n  repos: [../missing]\n');
    expect(await tools('use', 'read', '--arg', 'path=a.txt', '--config', config)).toEqual({
      code: 0,
      stdout: '1\tred\n',
      stderr: 'workspace.repos.0 (../missing) is left out: there is no such folder.\n',
    });
  });

  test.each([
    [['use'], 'use takes the name of one tool.'],
    [['use', 'nothing'], 'there is no tool "nothing".'],
    [['use', 'web_fetch'], 'there is no tool "web_fetch" here. The web is not open to this run'],
    [['show', 'web_search'], 'there is no tool "web_search" here. This run cannot search the web'],
    [['use', 'read', '--arg', 'path'], '--arg takes name=value, not "path".'],
    [['use', 'read', '--json', '[1]'], '--json takes one JSON object of arguments.'],
    [['use', 'read', '--arg-json', 'path={'], '--arg-json path: { is not JSON.'],
    [['use', 'read', '--colour'], 'there is no option --colour.'],
  ])('is bad usage as %j', async (args, problem) => {
    const { code, stdout, stderr } = await tools(...args);
    expect({ code, stdout, said: stderr.includes(problem) }).toEqual({ code: 2, stdout: '', said: true });
  });
});

describe('restore', () => {
  /** Makes one change by hand and returns the id it can be undone by. */
  async function change(root: string, command: string): Promise<string> {
    const args = ['tools', 'use', 'bash', '--arg', `command=${command}`, '--allow-non-read'];
    const { stderr } = await local.anode(root, args);
    return /anode restore (run_\w+)/.exec(stderr)?.[1] ?? '';
  }

  test('is named with the folder given by --cwd', async () => {
    const root = await local.checkout({ 'a.txt': 'red\n' });
    const write = ['--arg', 'path=b.txt', '--arg', 'content=b', '--allow-non-read', '--cwd', root];
    const { stderr } = await local.anode(local.home, ['tools', 'use', 'create_file', ...write]);
    const [, words = ''] = /What it changed is put back by: anode (.*)/.exec(stderr) ?? [];
    const { code, stdout } = await local.anode(local.home, words.split(' '));
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'b.txt: removed\n' });
  });

  test('restores changed, deleted, new and renamed files', async () => {
    const root = await local.checkout({ 'a.txt': 'red\n', 'b.txt': 'blue\n', 'c/d.txt': 'deep\n' });
    const run = await change(root, 'echo x > a.txt; rm b.txt; echo n > new.txt; mv c/d.txt c/e.txt');
    const dry = await local.anode(root, ['restore', run, '--dry-run']);
    const done = await local.anode(root, ['restore', run]);
    const { stdout: status } = await local.anode(root, [
      'tools',
      'use',
      'bash',
      '--arg',
      'command=git status -s',
      '--allow-non-read',
    ]);
    expect({ dry: lines(dry), done: lines(done), status }).toEqual({
      dry: {
        code: 0,
        lines: [
          'a.txt: would be written back',
          'b.txt: would be written back',
          'c/d.txt: would be written back',
          'c/e.txt: would be removed',
          'new.txt: would be removed',
        ],
      },
      done: {
        code: 0,
        lines: [
          'a.txt: written back',
          'b.txt: written back',
          'c/d.txt: written back',
          'c/e.txt: removed',
          'new.txt: removed',
        ],
      },
      status: '(no output)\n',
    });
  });

  test('leaves later changes unless forced, and accepts a single path', async () => {
    const root = await local.checkout({ 'a.txt': 'red\n', 'b.txt': 'blue\n' });
    const run = await change(root, 'echo x > a.txt; echo x > b.txt');
    await writeFile(path.join(root, 'a.txt'), 'mine\n');
    expect(lines(await local.anode(root, ['restore', run, 'b.txt']))).toEqual({
      code: 0,
      lines: ['b.txt: written back'],
    });
    expect(lines(await local.anode(root, ['restore', run]))).toEqual({
      code: 1,
      lines: ['a.txt: left, it was changed after the run', 'b.txt: as it was'],
    });
    await local.anode(root, ['restore', run, 'a.txt', '--force']);
    expect(await readFile(path.join(root, 'a.txt'), 'utf8')).toBe('red\n');
  });

  test('names an unknown run', async () => {
    const { code, stderr } = await local.anode(folder, ['restore', 'run_nothing']);
    expect({ code, said: stderr.includes('there is no record of run_nothing') }).toEqual({
      code: 2,
      said: true,
    });
  });

  const lines = ({ code, stdout }: { code: number | null; stdout: string }) => ({
    code,
    lines: stdout.trimEnd().split('\n').sort(),
  });
});
