import { pathGlobs } from './path-globs.ts';

const isCredential = pathGlobs([
  '**/.git/{config,config.worktree}',
  '**/.git/{modules,worktrees}/**/{config,config.worktree}',
  '**/.{netrc,git-credentials,pgpass,vault-token}',
  '**/_netrc',
  '**/.ssh/**',
  '**/id_{rsa,dsa,ecdsa,ed25519}',
  '**/.gnupg/**',
  '**/.aws/credentials',
  '**/.azure/**',
  '**/.config/{gh,gcloud,git,anode}/**',
  '**/gha-creds-*.json',
  '**/.docker/config.json',
  '**/.kube/config',
  '**/proc/*/{environ,mem}',
  '**/etc/{shadow,gshadow,sudoers}',
]);

/** Why a path may be neither read nor written: it is where credentials lie. Null for every other path. */
export function isCredentialPath(path: string): string | null {
  // No glob matches `..`, and where it leads does not matter here.
  const parts = path.split('/').filter((part) => part !== '' && part !== '.' && part !== '..');
  return isCredential(parts.join('/').toLowerCase()) ? 'credentials are kept there' : null;
}
