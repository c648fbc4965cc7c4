import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { lintWorkflows } from '../../scripts/lint-workflows.ts';
import { readSource, root, trackedFiles } from './source-tree.ts';

const workflows = trackedFiles().filter((file) => /^\.github\/workflows\/.*\.ya?ml$/.test(file));
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'anode-workflows-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('actionlint accepts the workflows of this project', async () => {
  expect(await lintWorkflows(path.join(root, '.github', 'workflows'))).toEqual([]);
});

test('actionlint accepts the workflows in the documentation', async () => {
  const examples = [...readSource('docs/action.md').matchAll(/^```yaml\n([\s\S]*?)^```$/gm)];
  expect(examples).toHaveLength(1);
  for (const [index, [, text]] of examples.entries()) {
    await writeFile(path.join(folder, `example-${index + 1}.yml`), text ?? '');
  }
  expect(await lintWorkflows(folder)).toEqual([]);
});

test('a workflow that puts an issue title into a script is rejected', async () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: GitHub's own syntax
  const step = 'run: echo ${{ github.event.issue.title }}';
  await writeFile(
    path.join(folder, 'bad.yml'),
    `on: issues\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n      - ${step}\n`,
  );
  expect(await lintWorkflows(folder)).toEqual([
    expect.stringMatching(/^bad\.yml:6:\d+: .*potentially untrusted/),
  ]);
});

/** `uses:` of workflows and documents that name an action of others: not ours, and not a path. */
const pinnable = [
  ...workflows,
  ...trackedFiles().filter((file) => /^(README|docs\/.*)\.(md|ya?ml)$/.test(file)),
];

test('every action of others is pinned to a commit, with its version beside it', () => {
  const uses = pinnable.flatMap((file) =>
    [...readSource(file).matchAll(/^\s*(?:#\s*)?-?\s*uses:\s*(.*)$/gm)].flatMap(([, action = '']) =>
      /^(\.\/|OWNER\/anode-ci[@/])/.test(action) ? [] : [`${file}: ${action}`],
    ),
  );
  expect(uses.length).toBeGreaterThan(8);
  expect(uses.filter((line) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
});

test('one action has one commit and one version everywhere', () => {
  const commits = new Map<string, Set<string>>();
  for (const file of pinnable)
    for (const [, name = '', commit = ''] of readSource(file).matchAll(
      /uses:\s*([\w-]+\/[\w-]+)(?:\/[\w/-]+)?@([0-9a-f]{40} # \S+)$/gm,
    ))
      commits.set(name, new Set([...(commits.get(name) ?? []), commit]));
  expect([...commits].filter(([, found]) => found.size > 1)).toEqual([]);
});

test('our own action is named by the rolling tag of its newest version', () => {
  const [, major] = /^## (\d+)\./m.exec(readSource('CHANGELOG.md')) ?? [];
  const tag = `v${major}`;
  const own = pinnable.flatMap((file) =>
    [...readSource(file).matchAll(/uses:\s*OWNER\/anode-ci\S*@(\S+)/g)].map(([, named]) => named),
  );
  expect(own.length).toBeGreaterThan(3);
  expect(new Set(own)).toEqual(new Set([tag]));
});

test('every workflow starts with read permissions at most; the release and what publishes may write', () => {
  const Workflow = z.object({
    permissions: z.record(z.string(), z.string()),
    jobs: z.record(z.string(), z.object({ permissions: z.record(z.string(), z.string()).optional() })),
  });
  const reads = { actions: 'read', checks: 'read' };
  const writes = { contents: 'write', issues: 'write', 'pull-requests': 'write' };
  const permissions = workflows.map((file) => {
    const workflow = Workflow.parse(parse(readSource(file)));
    const jobs = Object.entries(workflow.jobs).flatMap(([name, job]) =>
      job.permissions ? [[name, job.permissions]] : [],
    );
    return { file: path.basename(file), workflow: workflow.permissions, jobs: Object.fromEntries(jobs) };
  });
  expect(permissions).toEqual([
    { file: 'check.yml', workflow: { contents: 'read' }, jobs: {} },
    { file: 'one-job.yml', workflow: {}, jobs: { anode: { ...reads, ...writes } } },
    {
      file: 'release.yml',
      workflow: {},
      jobs: { release: { contents: 'write', 'id-token': 'write', attestations: 'write' } },
    },
    { file: 'test.yml', workflow: { contents: 'read' }, jobs: {} },
    {
      file: 'two-jobs.yml',
      workflow: {},
      jobs: {
        agent: { ...reads, contents: 'read', issues: 'read', 'pull-requests': 'read' },
        publish: { ...reads, ...writes },
      },
    },
  ]);
});
