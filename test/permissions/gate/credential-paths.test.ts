import { expect, test } from 'vitest';
import { isCredentialPath } from '../../../src/permissions/gate/credential-paths.ts';

const stored = [
  ...['.git/config', 'a/.git/config.worktree', '.git/modules/a/config', '.git/worktrees/a/b/config.worktree'],
  ...[
    '.netrc',
    'a/.git-credentials',
    '.pgpass',
    '.vault-token',
    '_netrc',
    '.ssh',
    '.ssh/known_hosts',
    'a/.ssh/b/c',
  ],
  ...['id_rsa', 'a/id_dsa', 'id_ecdsa', 'id_ed25519', '.gnupg/a', '.aws/credentials', '.azure/a'],
  ...['.config/gh/hosts.yml', '.config/gcloud/a', '.config/git/credentials', '.config/anode/a'],
  ...['gha-creds-1.json', '.docker/config.json', '.kube/config', '/proc/1/environ', '/proc/self/mem'],
  ...['/etc/shadow', '/etc/gshadow', '/etc/sudoers', '.GIT/Config', './/.git/./config', '../x/../.netrc'],
];

test.each(stored)('%s may hold credentials', (path) => {
  expect(isCredentialPath(path)).toBe('credentials are kept there');
});

test.each([
  '.git/HEAD',
  'config',
  '.git/modules/a',
  'netrc',
  'id_rsa.pub',
  '.aws/config',
  '.config/a',
])('%s holds no credentials', (path) => {
  expect(isCredentialPath(path)).toBeNull();
});
