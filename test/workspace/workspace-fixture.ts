import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import * as path from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { openWorkspace } from '../../src/workspace/open-workspace.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';
import { temporaryFolder } from './repository.ts';

/** What one test has for itself: a folder, in which the work tree has yet to be made, and a folder for the run. */
export interface WorkspacePlace {
  base: string;
  root: string;
  runFolder: string;
  /** Opens the work tree as a run does. */
  open(): Promise<Workspace>;
}

/** Gives each test of the file that calls it a fresh place, and takes it away again. */
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

/** The hash that before-images and the ledger go by, in hexadecimal. */
export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

export const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Whom a change is put down to. */
export const by = { tool: 'edit_file', callId: 'call_1' };
export const byBash = { tool: 'bash', callId: 'call_2' };

/** Hashes of everything in a tree's real git directory, to see that nothing of it was touched. */
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
