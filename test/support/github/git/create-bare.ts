import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Also refuses the names of `rules/refs.ts`: commit ids, refs within refs, and those of the merge
 * queue.
 */
const forbiddenNames = '^refs/(heads|tags)/([0-9a-f]{40}$|refs/)|^refs/heads/gh-readonly-queue/';

/** Refuses forbidden names, and a change of a workflow where the pusher's token lacks `workflows`, in GitHub's words. */
const preReceive = `#!/bin/sh
zero=0000000000000000000000000000000000000000
moves=$(cat)
if [ -n "$PUSH_RULES" ]; then
  printf '%s\\n' "$moves" | "$PUSH_NODE" "$PUSH_HOOK" || exit 1
fi
printf '%s\\n' "$moves" | while read -r before after ref; do
  [ "$after" = "$zero" ] && continue
  if [ "$(printf '%s' "$ref" | wc -c)" -gt 255 ]; then
    echo "error: GH005: Sorry, refs longer than 255 bytes are not allowed." >&2
    exit 1
  fi
  if [ "$before" = "$zero" ] && printf '%s' "$ref" | grep -Eq '${forbiddenNames}'; then
    echo "error: GH002: Sorry, branch or tag names like this are not allowed: $ref" >&2
    exit 1
  fi
  [ "$PUSH_MAY_CHANGE_WORKFLOWS" = 1 ] && continue
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
