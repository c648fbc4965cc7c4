import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gitEnvironment } from '../git/git.ts';
import { loadApi } from '../protocol/api.ts';
import { refusalOf, shop, startShop } from '../shop.ts';
import type { Protection } from './protection.ts';

const run = promisify(execFile);
let world: Awaited<ReturnType<typeof startShop>>;
let folder: string;
let sha: string;

beforeAll(async () => {
  world = await startShop({ api: loadApi() });
  folder = await mkdtemp(join(tmpdir(), 'rules-'));
  sha = world.pull.headSha;
  const url = world.repository.cloneUrl.replace('://', `://x:${world.github.createToken({ actor: 'ann' })}@`);
  await git('clone', '--quiet', url, '.');
});
afterAll(async () => {
  const problems = world.github.problems();
  await world.github.close();
  await rm(folder, { recursive: true, force: true });
  expect(problems).toEqual([]);
});

const git = async (...args: string[]): Promise<string> => {
  const identity = ['-c', 'user.name=ann', '-c', 'user.email=ann@example.com'];
  const { stdout } = await run('git', [...identity, ...args], { cwd: folder, env: { ...gitEnvironment } });
  return stdout.trim();
};

/** A refused push without the page of the rules and the commits, which differ each time. */
const plainRefusal = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !/^(?:Review all| {2})/.test(line))
    .join('\n');

/** The message of git's remote for a refused push, without its prefix; '' if it was accepted. */
const pushed = async (...args: string[]): Promise<string> => {
  const failed = await git('push', '--quiet', ...args).then(
    () => null,
    (error: { stderr: string }) => error.stderr,
  );
  const output = (failed ?? '').split('\n').flatMap((line) => /^remote: (.*?) *$/.exec(line)?.[1] ?? []);
  return output.filter((line) => line !== '').join('\n');
};

const createRef = (name: string) =>
  refusalOf(world.bot.git.createRef({ ...shop, ref: `refs/heads/${name}`, sha }));

describe('GitHub Docs, "REST API endpoints for Git references"', () => {
  const invalid = (name: string) => ({
    status: 422,
    message: 'Validation Failed',
    errors: [
      {
        ...{ resource: 'Reference', field: 'ref', code: 'invalid' },
        message: `refs/heads/${name} is not a valid ref name.`,
      },
    ],
  });

  it.each([
    ['that looks like the id of a commit', 'a'.repeat(40)],
    ['that begins with refs/', 'refs/heads/main'],
    ['that the merge queue keeps for itself', 'gh-readonly-queue/main/pr-1'],
    ['that makes a ref of more than 255 bytes', `deep/${'ü'.repeat(120)}`],
    ['that git does not allow', 'two..dots'],
  ])('A branch with a name %s is refused.', async (_, name) => {
    expect(await createRef(name)).toEqual(invalid(name));
  });

  it('a branch name inside another, or containing another, is refused', async () => {
    await world.bot.git.createRef({ ...shop, ref: 'refs/heads/deep/one', sha });
    const refusal = { status: 422, message: 'Reference update failed' };
    expect([await createRef('fix/more'), await createRef('deep'), await createRef('fix')]).toEqual([
      refusal,
      refusal,
      { status: 422, message: 'Reference already exists' },
    ]);
  });
});

it('the default branch cannot be deleted (GitHub Docs, "Creating and deleting branches within your repository")', async () => {
  const refused = await refusalOf(world.bot.git.deleteRef({ ...shop, ref: 'heads/main' }));
  const push = await git('push', '--quiet', 'origin', ':refs/heads/main').catch(
    (error: { stderr: string }) => error.stderr,
  );
  expect([refused, push]).toEqual([
    { status: 422, message: 'Cannot delete the default branch' },
    expect.stringContaining('deletion of the current branch prohibited'),
  ]);
});

it('a push of a forbidden name is refused (GitHub Docs, "Dealing with special characters in branch and tag names")', async () => {
  const name = 'b'.repeat(40);
  expect([
    await pushed('origin', `HEAD:refs/heads/${name}`),
    await pushed('origin', 'HEAD:refs/heads/refs/heads/x'),
    await pushed('origin', `HEAD:refs/heads/deep/${'ü'.repeat(120)}`),
  ]).toEqual([
    `error: GH002: Sorry, branch or tag names like this are not allowed: refs/heads/${name}`,
    'error: GH002: Sorry, branch or tag names like this are not allowed: refs/heads/refs/heads/x',
    'error: GH005: Sorry, refs longer than 255 bytes are not allowed.',
  ]);
});

/** A commit by the API, as GitHub signs it, on its own branch. */
async function commitByApi(branch: string, contents = 'new\n'): Promise<string | null> {
  const head = (await world.repository.head(branch)) ?? '';
  return world.bot
    .graphql(
      'mutation ($input: CreateCommitOnBranchInput!) { createCommitOnBranch(input: $input) { clientMutationId } }',
      {
        input: {
          branch: { repositoryNameWithOwner: 'acme/shop', branchName: branch },
          expectedHeadOid: head,
          message: { headline: 'New' },
          fileChanges: {
            additions: [{ path: 'new.txt', contents: Buffer.from(contents).toString('base64') }],
          },
        },
      },
    )
    .then(
      () => null,
      (error: { errors?: { type?: string; message: string }[] }) =>
        error.errors?.map(({ type, message }) => `${type}: ${message}`).join('\n') ?? String(error),
    );
}

const pushCommit = async (branch: string, text: string): Promise<string> => {
  await git('checkout', '--quiet', '-B', 'work', `origin/main`);
  await writeFile(join(folder, 'pushed.txt'), text);
  await git('add', '.');
  await git('commit', '--quiet', '-m', 'Pushed');
  return pushed('--force', 'origin', `HEAD:refs/heads/${branch}`);
};

const rule = (fields: Partial<Protection>): Protection => ({
  ...{ kind: 'ruleset', branches: /^kept$/, deletion: false, forcePush: false },
  ...fields,
});

describe.each<[rule: string, page: string, Protection, { push: string; api: string | null }]>([
  [
    'A protected branch takes changes by pull requests alone',
    'About protected branches',
    rule({ kind: 'protected branch', pullRequest: true }),
    {
      push: 'error: GH006: Protected branch update failed for refs/heads/kept.\nChanges must be made through a pull request.',
      api: "BRANCH_PROTECTION_RULE_VIOLATION: protected branch 'kept' check failed:\nChanges must be made through a pull request.",
    },
  ],
  [
    'A ruleset has changes made by pull requests alone',
    'Available rules for rulesets',
    rule({ pullRequest: true }),
    {
      push: 'error: GH013: Repository rule violations found for refs/heads/kept.\n- Changes must be made through a pull request.',
      api: 'UNPROCESSABLE: Repository rule violations found\n\nChanges must be made through a pull request.\n',
    },
  ],
  [
    'A branch with a merge queue changes by the queue alone',
    'Managing a merge queue',
    rule({ mergeQueue: true }),
    {
      push: 'error: GH013: Repository rule violations found for refs/heads/kept.\n- Changes must be made through the merge queue',
      api: 'UNPROCESSABLE: Repository rule violations found\n\nChanges must be made through the merge queue\n',
    },
  ],
  [
    'A branch with required signatures takes what GitHub signs, and no unsigned push',
    'About commit signature verification',
    rule({ signatures: true }),
    {
      push: 'error: GH013: Repository rule violations found for refs/heads/kept.\n- Commits must have verified signatures.',
      api: null,
    },
  ],
  [
    'A branch takes no forced push where its rule does not say so',
    'Available rules for rulesets',
    { kind: 'ruleset', branches: /^kept$/ },
    {
      push: 'error: GH013: Repository rule violations found for refs/heads/kept.\n- Cannot force-push to this branch',
      api: null,
    },
  ],
])('%s', (_, page, protection, expected) => {
  it(`(GitHub Docs, "${page}").`, async () => {
    await world.repository.commit('kept', { files: { 'kept.txt': `${page}\n` }, message: 'Kept' });
    world.repository.protect(protection);
    const push = await pushCommit('kept', `${page}\n`);
    const api = await commitByApi('kept', `${page} ${protection.kind}\n`);
    world.repository.protect();
    expect({ push: plainRefusal(push), api }).toEqual(expected);
  });
});

it('a ruleset names the page of its rules and the commits without a verified signature', async () => {
  world.repository.protect(rule({ signatures: true }));
  const push = await pushCommit('kept', 'unsigned\n');
  world.repository.protect();
  expect(push.split('\n')).toEqual([
    'error: GH013: Repository rule violations found for refs/heads/kept.',
    `Review all repository rules at ${world.repository.url}/rules?ref=refs%2Fheads%2Fkept`,
    '- Commits must have verified signatures.',
    '  Found 1 violation:',
    `  ${await git('rev-parse', 'HEAD')}`,
  ]);
});

it('rules apply to the REST API and the named branches only (GitHub Docs, "About rulesets")', async () => {
  world.repository.protect(rule({ creation: true, branches: /^new$/ }), {
    kind: 'protected branch',
    branches: /^held$/,
    update: true,
  });
  await world.repository.commit('held', { files: { 'held.txt': 'held\n' }, message: 'Held' });
  const head = (await world.repository.head('held')) ?? '';
  const refusals = [
    await createRef('new'),
    await refusalOf(world.bot.git.deleteRef({ ...shop, ref: 'heads/held' })),
    await refusalOf(world.bot.git.updateRef({ ...shop, ref: 'heads/held', sha, force: true })),
  ];
  await world.bot.git.createRef({ ...shop, ref: 'refs/heads/free', sha: head });
  world.repository.protect();
  expect(refusals).toEqual(
    [
      'Repository rule violations found\n\nCannot create ref due to creations being restricted.\n',
      "protected branch 'held' check failed:\nCannot delete this branch",
      "protected branch 'held' check failed:\nCannot update this protected ref.\nCannot force-push to this branch",
    ].map((message) => ({ status: 422, message })),
  );
});

it('a commit with a secret is refused in a push and in the API (GitHub Docs, "About push protection")', async () => {
  const secret = `token = "ghp_${'a1B2'.repeat(9)}"\n`;
  world.repository.protectPushes();
  const push = await pushCommit('leak', secret);
  const api = await commitByApi('fix', secret);
  const free = await commitByApi('fix', 'no secret\n');
  world.repository.protectPushes(false);
  expect({ push: plainRefusal(push), api, free }).toEqual({
    push: 'error: GH013: Repository rule violations found for refs/heads/leak.\n- GITHUB PUSH PROTECTION\nSecret detected in content.',
    api: 'UNPROCESSABLE: Repository rule violations found\n\nSecret detected in content.\n',
    free: null,
  });
});
