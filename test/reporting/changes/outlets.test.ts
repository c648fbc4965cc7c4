import { expect, test } from 'vitest';
import type { FileChange } from '../../../src/contract/change.ts';
import type { Outcome } from '../../../src/contract/outcome.ts';
import type { RunPlan } from '../../../src/contract/plan.ts';
import { decidePatchTarget, type OutletFacts } from '../../../src/reporting/changes/outlet-rules.ts';
import { headSha, sampleOutcome, samplePlan } from '../samples.ts';
import { decideOutlet } from './decide-outlet.ts';

const file: FileChange = {
  path: 'src/a.js',
  kind: 'modify',
  mode: '100644',
  old_mode: '100644',
  content: Buffer.from('x\n').toString('base64'),
  binary: false,
  diff: '',
};
const decide = (
  files: readonly Partial<FileChange>[],
  more: { outcome?: Partial<Outcome>; plan?: Partial<RunPlan>; facts?: Partial<OutletFacts> } = {},
) =>
  decideOutlet(
    sampleOutcome({
      changes: { base_sha: headSha, patch: 'p', files: files.map((one) => ({ ...file, ...one })) },
      ...more.outcome,
    }),
    samplePlan(more.plan),
    { protectedAllow: [], canPush: true, hasDiff: true, ...more.facts },
  );

test('commits ordinary files by the API, and modes, links and large files by git push', () => {
  const big = Buffer.alloc(2_000_001).toString('base64');
  expect([
    decide([{}, { kind: 'delete', mode: null, content: null }]),
    decide([{ mode: '100755' }]),
    decide([{ mode: '120000' }]),
    decide([{ content: big }]),
    decide([{ old_mode: '100755' }]),
    decide([{ old_mode: '120000' }]),
    decide([{ kind: 'delete', old_mode: '160000', mode: null, content: null }]),
    decide([{ kind: 'rename', old_path: 'src/A.js' }]),
    decide([{ mode: '100755' }], { facts: { canPush: false } }),
  ]).toEqual([
    { outlet: { kind: 'commit', via: 'api' }, reason: null },
    { outlet: { kind: 'commit', via: 'push' }, reason: null },
    { outlet: { kind: 'commit', via: 'push' }, reason: null },
    { outlet: { kind: 'commit', via: 'push' }, reason: null },
    { outlet: { kind: 'commit', via: 'push' }, reason: null },
    { outlet: { kind: 'commit', via: 'push' }, reason: null },
    { outlet: { kind: 'commit', via: 'push' }, reason: null },
    { outlet: { kind: 'commit', via: 'api' }, reason: null },
    {
      outlet: { kind: 'suggestions' },
      reason:
        'Not committed, as the mode, size or place of `src/a.js` needs a git push, which is not available.',
    },
  ]);
});

test('suggests changes for forks, readers and protected paths, or makes a patch without a diff', () => {
  const fork: Partial<RunPlan> = { push: { kind: 'none', reason: 'the pull request comes from a fork' } };
  const noDiff = { hasDiff: false };
  const allowed = { facts: { protectedAllow: ['.github/workflows/**'] } };
  expect([
    decide([{}], { plan: fork }),
    decide([{}], { plan: fork, facts: noDiff }),
    decide([{}], { plan: { read_only: true } }),
    decide([{ path: '.github/workflows/ci.yml' }]),
    decide([{ kind: 'rename', old_path: '.github/workflows/ci.yml' }]),
    decide([{ path: '.github/workflows/ci.yml' }], allowed),
    decide([{ path: '.github/workflows/ci.yml' }], {
      ...allowed,
      plan: { source: { kind: 'action', delivery_id: null } },
    }),
  ]).toEqual([
    { outlet: { kind: 'suggestions' }, reason: 'Not committed: the pull request comes from a fork.' },
    { outlet: { kind: 'patch' }, reason: 'Not committed: the pull request comes from a fork.' },
    { outlet: { kind: 'suggestions' }, reason: 'Not committed, as the run may only read.' },
    {
      outlet: { kind: 'suggestions' },
      reason:
        'Not committed, as `.github/workflows/ci.yml` is protected: workflows run with the secrets of the repository.',
    },
    {
      outlet: { kind: 'suggestions' },
      reason:
        'Not committed, as `.github/workflows/ci.yml` is protected: workflows run with the secrets of the repository.',
    },
    {
      outlet: { kind: 'suggestions' },
      reason:
        'Not committed: The App asks for no token that may change workflow files. Apply the patch yourself.',
    },
    { outlet: { kind: 'commit', via: 'api' }, reason: null },
  ]);
});

test('makes a patch for large changes and unfinished runs, and publishes nothing for waiting ones', () => {
  const many = Array.from({ length: 101 }, (_, index) => ({ path: `f${index}` }));
  const big = Buffer.alloc(1_500_000).toString('base64');
  expect([
    decide(many),
    decide([{ content: big }, { content: big }, { content: big }]),
    decide([{}], { outcome: { conclusion: 'limit' } }),
    decide([{}], { outcome: { conclusion: 'waiting' } }),
    decide([]),
  ]).toEqual([
    {
      outlet: { kind: 'patch' },
      reason: 'Not committed, as the changes are too large (101 files, 0.0 MB; at most 100 files and 4 MB).',
    },
    {
      outlet: { kind: 'patch' },
      reason: 'Not committed, as the changes are too large (3 files, 4.5 MB; at most 100 files and 4 MB).',
    },
    { outlet: { kind: 'patch' }, reason: 'Not committed, as the run did not finish.' },
    { outlet: { kind: 'none' }, reason: null },
    { outlet: { kind: 'none' }, reason: null },
  ]);
});

test('follows the configured outlet, and refuses submodules', () => {
  const settings = (value: NonNullable<OutletFacts['settings']>, more = {}) => ({
    facts: { settings: value, ...more },
  });
  const place: Partial<FileChange>[] = [
    { path: 'a', kind: 'delete', mode: null, content: null },
    { path: 'a/b' },
  ];
  expect([
    decide([{}], settings({ outlet: 'suggestions' })),
    decide([{}], settings({ outlet: 'patch' })),
    decide([{}], settings({ via: 'push' })),
    decide([{}], settings({ via: 'push' }, { canPush: false })),
    decide([{ mode: '160000', content: null }]),
    decide(place),
    decide([{ path: 'ab' }, { path: 'a', kind: 'delete', mode: null, content: null }]),
    decide([{ path: 'a', kind: 'rename', old_path: 'a/b' }]),
  ]).toEqual([
    {
      outlet: { kind: 'suggestions' },
      reason: 'Not committed, as the configuration asks for suggestions (`commit.outlet`).',
    },
    {
      outlet: { kind: 'patch' },
      reason: 'Not committed, as the configuration asks for patch (`commit.outlet`).',
    },
    { outlet: { kind: 'commit', via: 'push' }, reason: null },
    { outlet: { kind: 'commit', via: 'api' }, reason: null },
    {
      outlet: { kind: 'suggestions' },
      reason: 'Not committed, as `src/a.js` is a submodule, whose commit may exist nowhere else.',
    },
    { outlet: { kind: 'commit', via: 'push' }, reason: null },
    { outlet: { kind: 'commit', via: 'api' }, reason: null },
    { outlet: { kind: 'commit', via: 'push' }, reason: null },
  ]);
});

test('puts a patch into the report, or into an issue without a thread or if it is too long', () => {
  const thread = { kind: 'issue' as const, number: 2, title: 't' };
  const place = (length: number, conclusion: Outcome['conclusion'], plan: Partial<RunPlan> = {}) => {
    const decided = decidePatchTarget('x'.repeat(length), { conclusion }, samplePlan({ thread, ...plan }));
    return decided.kind === 'issue' ? decided.reason : decided.kind;
  };
  expect([
    place(40_000, 'success'),
    place(40_001, 'success'),
    place(40_001, 'limit'),
    place(40_001, 'failure'),
    place(40_001, 'success', { verb: 'step', thread: null }),
    place(1, 'success', { thread: null }),
    place(0, 'success', { thread: null }),
  ]).toEqual([
    'report',
    'the patch is too long for a report (41,000 characters)',
    'the patch is too long for a report (41,000 characters)',
    'report',
    'report',
    'there is no thread to report on',
    'report',
  ]);
});

test('accepts 100 files of 4 MB, and one of 2 MB by the API', () => {
  const content = (size: number) => Buffer.alloc(size).toString('base64');
  const hundred = Array.from({ length: 100 }, (_, index) => ({
    path: `src/${index}.js`,
    content: content(40_000),
  }));
  expect([
    decide(hundred),
    decide([...hundred.slice(1), { content: content(40_001) }]),
    decide([{ content: content(2_000_000) }]),
  ]).toEqual([
    { outlet: { kind: 'commit', via: 'api' }, reason: null },
    {
      outlet: { kind: 'patch' },
      reason: 'Not committed, as the changes are too large (100 files, 4.0 MB; at most 100 files and 4 MB).',
    },
    { outlet: { kind: 'commit', via: 'api' }, reason: null },
  ]);
});
