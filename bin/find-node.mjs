// Plain JavaScript without dependencies: it runs on whatever Node somebody has, to find the one that is needed.
import { existsSync } from 'node:fs';
import path from 'node:path';

/** The first major version of Node that runs this project. */
export const wantedMajor = 24;

/**
 * The program of a Node that is new enough: the one that runs this, else the one that came as an optional package, in
 * the nearest `node_modules` above `folder`. Null where there is neither.
 */
export function findNode(folder) {
  if (Number.parseInt(process.versions.node, 10) >= wantedMajor) return process.execPath;
  for (let at = folder; ; at = path.dirname(at)) {
    const program = path.join(at, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node');
    if (process.platform === 'linux' && existsSync(program)) return program;
    if (at === path.dirname(at)) return null;
  }
}

/** One sentence for a machine without such a Node: the missing part and the remedy. */
export function missingNode() {
  return `Node ${wantedMajor} or newer is needed; this is ${process.version} on ${process.platform}-${process.arch}, and the package node-linux-${process.arch} is not installed: install Node ${wantedMajor}, or install again with --include=optional on Linux x64 or arm64.`;
}
