import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOctokit } from '../../../src/github/create-octokit.ts';
import { trustedFilesOnGitHub } from '../../../src/webhooks/authorize/trusted-files-on-github.ts';
import { type GitHub, startGitHub } from '../../support/github/start-github.ts';

let github: GitHub;
const files = {
  'AGENTS.md': 'Be brief.',
  '.agents/skills/a/SKILL.md': 'A',
  '.agents/skills/a/more/b.md': 'B',
  '.agents/skills/c.md': 'C',
  '.agents/skills-old/d.md': 'D',
  'large.md': 'x'.repeat(256 * 1024 + 1),
};
beforeAll(async () => {
  github = await startGitHub();
  await github.createRepository('acme/shop', { files });
});
afterAll(() => github.close());

function open(name: string) {
  const token = github.createToken({
    actor: github.addApp({ slug: `reader-${name}`, permissions: { contents: 'read' } }).login,
    permissions: { contents: 'read' },
  });
  const octokit = createOctokit({ apiUrl: github.apiUrl, token, wait: async () => {} });
  const asked: string[] = [];
  octokit.hook.before(
    'request',
    ({ url, path }) => void asked.push(`${url.split('/').at(-1)} ${path ?? ''}`.trim()),
  );
  return { tree: trustedFilesOnGitHub(octokit, { owner: 'acme', name, branch: 'main' }), asked };
}

test('lists a branch once, and reads only existing files, each once', async () => {
  const { tree, asked } = open('shop');
  expect(await tree.below('.agents/skills', 2, 10)).toEqual([
    { path: '.agents/skills/a/SKILL.md', size: 1, executable: false },
    { path: '.agents/skills/c.md', size: 1, executable: false },
  ]);
  expect((await tree.below('.agents/skills', 3, 2)).length).toBe(2);
  const read = async (...paths: string[]) =>
    [...(await tree.read(paths))].map(([path, bytes]) => `${path}: ${bytes.toString()}`);
  expect(await read('AGENTS.md', 'CLAUDE.md', 'large.md', '.agents')).toEqual(['AGENTS.md: Be brief.']);
  expect(await read('AGENTS.md')).toEqual(['AGENTS.md: Be brief.']);
  expect(asked).toEqual(['{tree_sha}', '{path} AGENTS.md']);
});

test('reads a branch with a truncated list folder by folder, each once', async () => {
  const large = await startGitHub({ limits: { treeEntries: 3 } });
  const whole = github;
  github = large;
  try {
    await large.createRepository('acme/shop', { files });
    const { tree, asked } = open('shop');
    const below = async (folder: string, depth: number) =>
      (await tree.below(folder, depth, 10)).map(({ path }) => path);
    expect([
      await below('.agents/skills', 2),
      await below('', 1),
      await below('nowhere/at/all', 3),
      [...(await tree.read(['AGENTS.md', 'large.md', '.agents/skills/a/more/b.md', 'none.md'])).keys()],
    ]).toEqual([
      ['.agents/skills/a/SKILL.md', '.agents/skills/c.md'],
      ['AGENTS.md', 'large.md'],
      [],
      ['AGENTS.md', '.agents/skills/a/more/b.md'],
    ]);
    // The whole, the root, `.agents`, `skills`, `a`, `more`, and two files.
    expect(asked.length).toBe(8);
  } finally {
    github = whole;
    await large.close();
  }
});

test('a missing repository or branch gives no files', async () => {
  const { tree } = open('nowhere');
  expect([await tree.below('.agents/skills', 2, 10), (await tree.read(['AGENTS.md'])).size]).toEqual([[], 0]);
});
