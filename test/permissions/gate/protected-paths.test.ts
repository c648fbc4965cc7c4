import { describe, expect, it } from 'vitest';
import { isCredentialPath } from '../../../src/permissions/gate/credential-paths.ts';
import { isProtected } from '../../../src/permissions/gate/protected-paths.ts';

describe('protected paths', () => {
  it.each([
    '.git',
    '.git/hooks/pre-commit',
    'sub/.git/config',
    '.github/anode.yml',
    '.github/anode.json',
    '.github/workflows/ci.yml',
    '.github/workflows',
    '.github/actions/x/action.yml',
    'AGENTS.md',
    'AGENT.md',
    'packages/a/CLAUDE.md',
    '.agents/skills/x/SKILL.md',
    '.claude/settings.json',
    '.mcp.json',
    '.vscode/mcp.json',
    'web/.windsurf/rules/a.md',
    '.clinerules',
    '.clinerules/a.md',
    '.windsurfrules',
    'QWEN.md',
    '.github/instructions/a.md',
    '.github/copilot-instructions.md',
    '.husky/pre-commit',
    '.githooks/x',
    'CODEOWNERS',
    '.github/CODEOWNERS',
    'docs/CODEOWNERS',
    '.anode-harness/run.jsonl',
  ])('%s is protected', (path) => {
    expect(isProtected(path)).toEqual(expect.any(String));
  });

  it.each([
    '.GitHub/Workflows/x.yml',
    './.github//workflows/x.yml',
    'a/../.git/config',
    '.git./config',
    '.g\u200cit/config',
    'agents.MD',
    '.github/workflows/',
  ])('%j is protected however it is written', (path) => {
    expect(isProtected(path)).toEqual(expect.any(String));
  });

  it.each([
    'src/a.ts',
    '.gitignore',
    '.gitattributes',
    '.github/dependabot.yml',
    'docs/AGENTS.txt',
    'action.yml',
    'lib/codeowners',
    'github/workflows/x.yml',
  ])('%s is not', (path) => {
    expect(isProtected(path)).toBeNull();
  });

  it('lifts only what `protected.allow` names', () => {
    const allow = ['.github/workflows/docs-*.yml'];
    expect([
      isProtected('.github/workflows/docs-a.yml', allow),
      isProtected('.github/workflows/ci.yml', allow),
    ]).toEqual([null, 'workflows run with the secrets of the repository']);
  });
});

describe('credential paths', () => {
  it.each([
    '.netrc',
    '~/.netrc',
    'a/.git-credentials',
    '.ssh/known_hosts',
    'id_rsa',
    'keys/id_ed25519',
    '/proc/self/environ',
    '/proc/1/environ',
    '/home/x/.aws/credentials',
    '.git/config',
    '/etc/shadow',
    '/root/.config/gh/hosts.yml',
    '/root/.config/gcloud/credentials.db',
    '/root/.config/git/credentials',
    '/root/.config/anode/key',
    '.git/modules/a/b/config',
    '.pgpass',
    '.vault-token',
    '_netrc',
    'id_dsa',
    'id_ecdsa',
    '.gnupg/private-keys-v1.d/a.key',
    '.azure/msal_token_cache.json',
    'gha-creds-0123abcd.json',
    '/root/.docker/config.json',
    '/root/.kube/config',
    '/proc/1/mem',
    '/etc/gshadow',
    '/etc/sudoers',
  ])('%s holds credentials', (path) => {
    expect(isCredentialPath(path)).toBe('credentials are kept there');
  });

  it.each([
    '.gitconfig',
    'src/netrc.ts',
    'id_rsa.pub',
    '/proc/cpuinfo',
    '.npmrc',
    'docs/shadow',
  ])('%s does not', (path) => {
    expect(isCredentialPath(path)).toBeNull();
  });
});
