import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Refuses a push that touches a workflow where the pusher's token lacks `workflows`, in GitHub's words. */
const preReceive = `#!/bin/sh
[ "$PUSH_MAY_CHANGE_WORKFLOWS" = 1 ] && exit 0
zero=0000000000000000000000000000000000000000
while read -r before after ref; do
  [ "$after" = "$zero" ] && continue
  [ "$before" = "$zero" ] && before=$(git merge-base HEAD "$after" || git hash-object -t tree /dev/null)
  path=$(git diff --name-only "$before" "$after" -- .github/workflows | head -n 1)
  if [ -n "$path" ]; then
    echo "refusing to allow a GitHub App to create or update workflow \\\`$path\\\` without \\\`workflows\\\` permission" >&2
    exit 1
  fi
done
`;

/** Makes an empty bare repository that serves what GitHub serves: any reachable commit, partial clones. */
export async function createBare(directory: string, defaultBranch: string): Promise<void> {
  for (const folder of ['objects', 'refs/heads', 'refs/tags', 'hooks'])
    await mkdir(join(directory, folder), { recursive: true });
  await writeFile(join(directory, 'HEAD'), `ref: refs/heads/${defaultBranch}\n`);
  const settings = {
    'http.receivepack': 'true',
    'uploadpack.allowFilter': 'true',
    'uploadpack.allowAnySHA1InWant': 'true',
    'receive.hideRefs': 'refs/pull',
    'gc.auto': '0',
    'core.logAllRefUpdates': 'false',
  };
  const lines = Object.entries(settings).map(([key, value]) => {
    const dot = key.indexOf('.');
    return `[${key.slice(0, dot)}]\n\t${key.slice(dot + 1)} = ${value}\n`;
  });
  await writeFile(
    join(directory, 'config'),
    `[core]\n\trepositoryformatversion = 0\n\tbare = true\n${lines.join('')}`,
  );
  await writeFile(join(directory, 'hooks', 'pre-receive'), preReceive, { mode: 0o755 });
}
