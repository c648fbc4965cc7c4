import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';

/** Runs the user's own git, as a person would, and returns what it printed. */
export function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.com',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.com',
    },
  }).trim();
}

/** A new folder outside every repository, by its real path. */
export function temporaryFolder(name: string): string {
  return mkdtempSync(path.join(tmpdir(), `anode-${name}-`));
}

/** Writes files below a folder, making their parents. */
export function put(folder: string, files: Record<string, string | Buffer>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
}

/** A repository at `folder` with one commit of the files on `main`; returns the commit. */
export function repository(folder: string, files: Record<string, string | Buffer>): string {
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '-q', '-b', 'main');
  put(folder, files);
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'Start');
  return git(folder, 'rev-parse', 'HEAD');
}
