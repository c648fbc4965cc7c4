import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOctokit } from '../../../src/github/create-octokit.ts';
import { steeringOnGitHub } from '../../../src/webhooks/plan/steering-on-github.ts';
import { type GitHub, startGitHub } from '../../support/github/start-github.ts';

let github: GitHub;
beforeAll(async () => {
  github = await startGitHub();
  await github.createRepository('acme/shop', {
    files: {
      'AGENTS.md': 'Be brief.',
      '.agents/skills/a/SKILL.md': 'A',
      '.agents/skills/a/more/b.md': 'B',
      '.agents/skills/c.md': 'C',
      '.agents/skills-old/d.md': 'D',
      'large.md': 'x'.repeat(256 * 1024 + 1),
    },
  });
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
  return { tree: steeringOnGitHub(octokit, { owner: 'acme', name, branch: 'main' }), asked };
}

test('a branch is listed once, and of it only what is there is read, each file once', async () => {
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

test('a repository that is not there, or has no such branch, steers nothing', async () => {
  const { tree } = open('nowhere');
  expect([await tree.below('.agents/skills', 2, 10), (await tree.read(['AGENTS.md'])).size]).toEqual([[], 0]);
});
