import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseRepositoryConfig } from '../../../src/config/parse-repository-config.ts';
import { createOctokit } from '../../../src/github/create-octokit.ts';
import { readBaseFiles } from '../../../src/webhooks/authorize/read-base-files.ts';
import { readRepositoryConfig, readTrustedConfig } from '../../../src/webhooks/authorize/read-config.ts';
import { type GitHub, startGitHub } from '../../support/github/start-github.ts';

let github: GitHub;
const rules = 'permissions:\n  rules:\n    - { name: tests, tool: bash, action: allow }\n';
beforeAll(async () => {
  github = await startGitHub();
  await github.createRepository('acme/shop', { files: { '.github/anode.yml': rules } });
  await github.createRepository('globex/.github', { files: { '.github/anode.yml': `model: a/b\n${rules}` } });
  await github.createRepository('globex/shop', { files: { '.github/anode.yml': 'sandbox: required\n' } });
  const hooked = (run: string) => ({
    '.github/anode.yml': `hooks: { before: [{ tool: '*', run: ${run} }] }\n`,
  });
  await github.createRepository('initech/.github', { files: hooked('ci/all.sh') });
  await github.createRepository('initech/shop', { files: hooked('ci/own.sh') });
  const branched = await github.createRepository('initech/site', {
    files: { '.github/anode.yml': 'model: main/one\n', 'AGENTS.md': 'Main.\n' },
  });
  await branched.commit('next', {
    files: { '.github/anode.yml': 'model: next/two\n', 'AGENTS.md': 'Next.\n' },
    message: 'Begin the next',
  });
  await github.createRepository('globex/site', { files: { 'a.txt': 'a\n' } });
});
afterAll(() => github.close());

function reader(owner: string, name: string) {
  const { login } = github.addApp({ slug: `reader-of-${owner}-${name}`, permissions: { contents: 'read' } });
  const token = github.createToken({ actor: login, permissions: { contents: 'read' } });
  return createOctokit({ apiUrl: github.apiUrl, token, wait: async () => {} });
}

async function read(owner: string, name: string, branch = 'main') {
  const octokit = reader(owner, name);
  const { config, source } = await readRepositoryConfig(octokit, { owner, name, branch }, 'app');
  return {
    config,
    file: source?.file,
    again: parseRepositoryConfig(source?.text ?? '', source?.file ?? '', 'app'),
  };
}

it('finds the configuration in a folder with more files than GitHub lists', async () => {
  const others = Object.fromEntries(
    Array.from({ length: 1_001 }, (_, index) => [`.github/${String(index).padStart(4, '0')}`, '']),
  );
  await github.createRepository('acme/full', {
    files: { ...others, '.github/anode.yml': 'sandbox: required\n' },
  });
  await github.createRepository('acme/none', { files: others });
  const none = readRepositoryConfig(
    reader('acme', 'none'),
    { owner: 'acme', name: 'none', branch: 'main' },
    'app',
  );
  expect([(await read('acme', 'full')).config, (await none).source]).toEqual([{ sandbox: 'required' }, null]);
});

const placed = (source: string) => ({ rules: [{ name: 'tests', tool: 'bash', action: 'allow', source }] });

it('gives each rule its file and line, also when the text is parsed again', async () => {
  const config = { permissions: placed('.github/anode.yml:3') };
  expect(await read('acme', 'shop')).toEqual({ config, file: '.github/anode.yml', again: config });
});

it('uses the organisation’s rules if the repository has none, and names their source', async () => {
  const place = 'globex/.github: .github/anode.yml';
  const merged = `.github/anode.yml over ${place}`;
  const ofBoth = { model: 'a/b', sandbox: 'required' };
  expect([await read('globex', 'site'), await read('globex', 'shop')]).toEqual([
    {
      config: { model: 'a/b', permissions: placed(`${place}:4`) },
      file: place,
      again: { model: 'a/b', permissions: placed(`${place}:4`) },
    },
    {
      config: { ...ofBoth, permissions: placed(`${place}:4`) },
      file: merged,
      // The text of both together has no lines of its own.
      again: { ...ofBoth, permissions: placed(merged) },
    },
  ]);
});

it('combines the hooks of organisation and repository, so neither can be dropped', async () => {
  const { config, again } = await read('initech', 'shop');
  const runs = [config, again].map(({ hooks }) => hooks?.before?.map(({ run }) => run));
  expect(runs).toEqual([
    ['ci/all.sh', 'ci/own.sh'],
    ['ci/all.sh', 'ci/own.sh'],
  ]);
});

it('reads configuration and files of the given branch, not the default one', async () => {
  const models = await Promise.all(
    ['main', 'next'].map(async (branch) => (await read('initech', 'site', branch)).config.model),
  );
  const place = { owner: 'initech', name: 'site', branch: 'next' };
  const files = await readBaseFiles(reader('initech', 'base'), place, ['AGENTS.md', '.github', 'none.md']);
  expect([models, [...files].map(([file, bytes]) => [file, bytes.toString()])]).toEqual([
    ['main/one', 'next/two'],
    [['AGENTS.md', 'Next.\n']],
  ]);
});

it('reads the default branch, or another one that the default branch trusts', async () => {
  const shop = await github.createRepository('acme/branches', {
    files: { '.github/anode.yml': "model: main/one\ntrustedBranches: [next, 'release/*']\n" },
  });
  const text = "model: own/two\ntrustedBranches: ['stale*']\n";
  for (const branch of ['next', 'stale', 'release/1', 'releases'])
    await shop.commit(branch, { files: { '.github/anode.yml': text }, message: branch });
  const octokit = reader('acme', 'branches');
  const steers = async (baseBranch: string) => {
    const thread = { owner: 'acme', name: 'branches', defaultBranch: 'main', baseBranch };
    const { branch, config } = await readTrustedConfig(octokit, thread, 'app');
    return [branch, config.model];
  };
  expect(await Promise.all(['main', 'next', 'release/1', 'stale', 'releases', 'gone'].map(steers))).toEqual([
    ['main', 'main/one'],
    ['next', 'own/two'],
    ['release/1', 'own/two'],
    ['main', 'main/one'],
    ['main', 'main/one'],
    ['main', 'main/one'],
  ]);
});
