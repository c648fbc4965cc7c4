import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type DescriptionCache,
  describePrograms,
} from '../../../src/extensions/toolbox/describe-programs.ts';
import type { ToolboxProgram } from '../../../src/extensions/toolbox/toolbox-folder.ts';
import { toolboxTool } from '../../../src/extensions/toolbox/toolbox-tool.ts';
import type { CommandRunner } from '../../../src/sandbox/command-runner.ts';
import { createCommandRunner } from '../../../src/sandbox/create-command-runner.ts';
import { available } from '../../sandbox/runner-fixture.ts';
import { openTools, type ToolHarness } from '../../tools/tool-harness.ts';

let harness: ToolHarness;
let folder: string;
let runner: CommandRunner;
let cache: DescriptionCache & { readonly kept: Map<string, string> };
const signal = new AbortController().signal;

beforeEach(async () => {
  harness = await openTools({ 'src/a.ts': 'one\n' });
  folder = mkdtempSync(path.join(tmpdir(), 'anode-toolbox-'));
  chmodSync(folder, 0o755);
  runner = await createCommandRunner({
    mode: 'required',
    workspace: { root: harness.root, agentGitDirectory: async () => null },
    spillFolder: folder,
    environment: process.env,
  });
  const kept = new Map<string, string>();
  cache = {
    kept,
    get: async (digest) => kept.get(digest) ?? null,
    add: async (printed) => {
      for (const [digest, reply] of printed) kept.set(digest, reply);
    },
  };
});

afterEach(async () => {
  await runner.close();
  await harness.close();
  rmSync(folder, { recursive: true });
});

/** Puts a program into the toolbox. */
function program(name: string, script: string): ToolboxProgram {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, script, { mode: 0o755 });
  return { shown: `.tools/${name}`, file, digest: name };
}

const describing = (description: object, execute: string) => `#!/usr/bin/env bash
if [ "$TOOLBOX_ACTION" = describe ]; then
cat <<'END'
${JSON.stringify(description)}
END
exit 0
fi
${execute}
`;

/** Longer than any program here takes to describe itself on a busy machine. */
const patience = 60;

/** Asks programs to describe themselves, each for as long as that. */
const describeFor = (seconds: number, programs: readonly ToolboxProgram[], change: object = {}) =>
  describePrograms(programs, {
    ...{ runner: async () => runner, workspaceRoot: harness.root, signal, cache, seconds },
    ...change,
  });

async function describeAll(seconds: number, programs: readonly ToolboxProgram[], change: object = {}) {
  const described = await describeFor(seconds, programs, change);
  return described.map((one) => ('problem' in one ? one.problem : one.description.name));
}

/** The tool that a program becomes, and what a call of it says. */
async function call(made: ToolboxProgram, input: object, variables: Readonly<Record<string, string>> = {}) {
  const [described] = await describeFor(patience, [made]);
  if (described === undefined || 'problem' in described) throw new Error(described?.problem);
  const place = { runner: async () => runner, variables, timeoutSeconds: patience };
  const tool = toolboxTool(made, described.description, place);
  return tool.execute(tool.input.parse(input), harness.context, undefined);
}

describe.skipIf(!available)('describing toolbox programs', () => {
  test('leaves out programs without a description, with the reason, and keeps the order of the rest', async () => {
    const replyText = { name: 'Good one', description: 'Does good.' };
    const programs = [
      program('garbage', '#!/bin/sh\necho starting up\n'),
      program('good', describing(replyText, 'exit 1')),
      program('fails', '#!/bin/sh\necho no jq here >&2\nexit 3\n'),
      program('floods', '#!/bin/sh\nyes\n'),
      program('no-program', 'just text\0'),
      program('forges', '#!/bin/sh\necho "0 2 "\necho "{}"\n'),
      program(
        'writes',
        `#!/bin/sh\necho '{"name":"w","description":"w"}'\necho two > "$TOOLBOX_WORKSPACE/src/a.ts"\n`,
      ),
      program('lines', '#!/bin/sh\nprintf "name: lines\\ndescription: In lines.\\n"\n'),
    ];
    expect([await describeAll(patience, programs), harness.tree()]).toEqual([
      [
        'described itself by neither JSON nor lines such as "name: …": "starting up"',
        'tb__good_one',
        'ended with exit code 3 when asked to describe itself: no jq here',
        'printed more than 65536 bytes to describe itself',
        expect.stringMatching(/^could not be run|^ended with exit code/),
        expect.stringContaining('described itself by neither'),
        expect.stringMatching(
          /^ended with exit code \d+ when asked to describe itself: .*Read-only file system/,
        ),
        'tb__lines',
      ],
      { 'src/a.ts': 'one\n' },
    ]);
  });

  test('waits neither for remaining processes nor for one program after the other', async () => {
    const replies = { name: 'leaves', description: 'Leaves something behind.' };
    const leaves = describing(replies, '').replace('exit 0', '(sleep 60; echo late) &\nexit 0');
    const hangs = Array.from({ length: 7 }, (_, index) => program(`hangs-${index}`, '#!/bin/sh\nsleep 60\n'));
    // One after the other they would take 32 s.
    expect(await describeAll(4, [program('leaves', leaves), ...hangs], { within: 16 })).toEqual([
      'tb__leaves',
      ...hangs.map(() => 'did not describe itself within 4 s'),
    ]);
  });

  test('never asks a program again that is identified by its contents', async () => {
    const counting = `#!/bin/sh\nls /proc | wc -l > /dev/null\necho '{"name":"x","description":"'$RANDOM$$'"}'\n`;
    const first = program('counting', counting);
    const before = await describeFor(patience, [first]);
    const started = () => Promise.reject(new Error('a sandbox was started'));
    const after = await describeFor(patience, [first], { runner: started });
    expect([after, cache.kept.size]).toEqual([before, 1]);
  });
});

describe.skipIf(!available)('a tool from a toolbox', () => {
  test('receives its arguments as JSON and the workspace, and its changes are recorded', async () => {
    const script = describing(
      { name: 'append', description: 'Appends.', args: { text: 'what' } },
      'cat >> "$TOOLBOX_WORKSPACE/src/a.ts"\necho "done $TOOLBOX_ACTION $PWD"\necho oh >&2',
    );
    await harness.context.workspace.baseline('');
    const result = await call(program('append', script), { text: 'two' });
    expect([
      result.content,
      readFileSync(path.join(harness.root, 'src/a.ts'), 'utf8'),
      harness.entries,
    ]).toEqual([
      `done execute ${harness.root}\noh`,
      'one\n{"text":"two"}\n',
      [expect.objectContaining({ type: 'change', change: expect.objectContaining({ path: 'src/a.ts' }) })],
    ]);
  });

  test('that described itself in lines receives lines', async () => {
    const script = `#!/bin/sh
if [ "$TOOLBOX_ACTION" = describe ]; then printf 'name: echo\\ndescription: Echoes.\\na: string\\nn: int?\\n'; exit; fi
cat
`;
    expect((await call(program('echo', script), { a: 'one\ntwo', n: 3 })).content).toBe(
      'a: "one\\ntwo"\nn: 3',
    );
  });

  test.each([
    'auto_read',
    'external_read',
  ])('that declares to only read cannot write (%s)', async (permission) => {
    const description = { name: 'r', description: 'Reads.', permission };
    const script = describing(description, 'echo x > "$TOOLBOX_WORKSPACE/src/a.ts"');
    await expect(call(program('r', script), {})).rejects.toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(
        /^tb__r ended with exit code 1\. What it had printed:\n.*Read-only file system$/s,
      ),
    });
  });

  test('fails with a message and its output so far', async () => {
    const script = describing({ name: 'f', description: 'Fails.' }, 'echo "only SELECT" >&2\nexit 1');
    const slow = describing(
      { name: 's', description: 'Waits.', timeout_seconds: 0.2 },
      'echo begun\nsleep 60',
    );
    const said = (made: ToolboxProgram) => call(made, {}).catch(({ kind, message }) => ({ kind, message }));
    expect([await said(program('f', script)), await said(program('s', slow))]).toEqual([
      { kind: 'failed', message: 'tb__f ended with exit code 1. What it had printed:\nonly SELECT' },
      { kind: 'timeout', message: 'tb__s was stopped after 0.2 seconds. What it had printed:\nbegun' },
    ]);
  });

  test("leaves its variables in no file that the model's commands can read", async () => {
    const secret = 'of the shop, row 7';
    const fill = 'head -c 20000 /dev/zero | tr "\\0" x';
    const script = describing({ name: 'g', description: 'g' }, `${fill}; echo "by $SHOP"; ${fill}`);
    const binary = describing({ name: 'b', description: 'b' }, 'head -c 3000 /dev/zero; echo "$SHOP"');
    const spilt = [];
    for (const made of [program('g', script), program('b', binary)]) {
      const { spill } = await call(made, {}, { SHOP: secret });
      spilt.push(spill === undefined ? '' : readFileSync(spill, 'utf8'));
    }
    expect(spilt.map((text) => [text.length > 3_000, text.includes(secret)])).toEqual([
      [true, false],
      [true, false],
    ]);
  });

  test('may print far more than a model reads, and may end inside a character', async () => {
    const flood = describing(
      { name: 'l', description: 'l' },
      'echo begin\nhead -c 50000000 /dev/zero | tr "\\0" x\necho end',
    );
    const killed = describing({ name: 'k', description: 'k' }, 'echo begun\nkill -9 $$');
    const { content, spill, data } = await call(program('l', flood), {});
    const ended = await call(program('k', killed), {}).catch(({ kind, message }) => ({ kind, message }));
    expect([typeof content === 'string' && content.length < 100_000, typeof spill, data, ended]).toEqual([
      true,
      'string',
      { exit_code: 0, duration_ms: expect.any(Number), output_bytes: 50_000_010 },
      {
        kind: 'failed',
        message: expect.stringMatching(/^tb__k ended with exit code 137\.|^tb__k was ended by SIGKILL\./),
      },
    ]);
  });

  test('has its configured variables, and no others of ours', async () => {
    process.env.ANODE_TEST_ONLY = 'never';
    const script = describing(
      { name: 'v', description: 'v' },
      'echo "$(printf %s "$PLACE" | wc -c) $PLACE [$ANODE_TEST_ONLY]"',
    );
    const { content } = await call(program('v', script), {}, { PLACE: 'hidden-place' });
    delete process.env.ANODE_TEST_ONLY;
    expect(content).toBe('12 [redacted] []');
  });
});
