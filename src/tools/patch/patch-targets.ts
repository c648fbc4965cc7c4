import { isAbsolute, posix } from 'node:path';
import type { Targets } from '../../permissions/policy/policy.ts';
import type { FilePatch } from './file-patch.ts';

/** Returns the patches with workspace paths, and their targets: each path once, for writing. */
export function patchTargets(
  patches: readonly FilePatch[],
  workdir: string | undefined,
): { readonly patches: readonly FilePatch[]; readonly targets: Targets } {
  const placed = workdir === undefined ? patches : patches.map((patch) => below(workdir, patch));
  const paths = [...new Set(placed.flatMap((patch) => pathsOf(patch)))];
  return {
    patches: placed,
    targets: { what: paths.join(', '), paths: paths.map((path) => ({ path, access: 'write' as const })) },
  };
}

function below(workdir: string, patch: FilePatch): FilePatch {
  const join = (path: string): string => (isAbsolute(path) ? path : posix.join(workdir, path));
  return patch.kind === 'update' && patch.to !== null
    ? { ...patch, path: join(patch.path), to: join(patch.to) }
    : { ...patch, path: join(patch.path) };
}

function pathsOf(patch: FilePatch): string[] {
  return patch.kind === 'update' && patch.to !== null ? [patch.path, patch.to] : [patch.path];
}
