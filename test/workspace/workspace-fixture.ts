import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import * as path from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { openWorkspace } from '../../src/workspace/open-workspace.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';
import { temporaryFolder } from './repository.ts';

/** The folders of one test. The test makes the work tree itself. */
export interface WorkspacePlace {
  base: string;
  root: string;
  runFolder: string;
  /** Opens the work tree as a run does. */
  open(): Promise<Workspace>;
}

/** Makes new folders for each test of the calling file, and removes them after it. */
export function workspacePlace(): WorkspacePlace {
  const place: WorkspacePlace = {
    base: '',
    root: '',
    runFolder: '',
    open: () =>
      openWorkspace({
        root: place.root,
        runFolder: place.runFolder,
        spillFolder: path.join(place.runFolder, 'spill'),
      }),
  };
  beforeEach(() => {
    place.base = temporaryFolder('workspace');
    place.root = path.join(place.base, 'tree');
    place.runFolder = path.join(place.base, 'run');
    mkdirSync(path.join(place.runFolder, 'spill'), { recursive: true });
  });
  afterEach(() => rmSync(place.base, { recursive: true, force: true }));
  return place;
}

/** The hash of contents in before-images and the ledger, in hexadecimal. */
export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

export const base64 = (text: string) => Buffer.from(text).toString('base64');

/** The calls that changes are recorded for. */
export const by = { tool: 'edit_file', callId: 'call_1' };
export const byBash = { tool: 'bash', callId: 'call_2' };

/** Hashes of all files in a tree's real git directory, to prove that none was changed. */
export function gitContents(root: string): Record<string, string> {
  const folder = path.join(root, '.git');
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) {
      const full = path.join(entry.parentPath, entry.name);
      found[path.relative(folder, full)] = sha256(readFileSync(full, 'latin1'));
    }
  }
  return found;
}
