import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Empty at first; one run of vitest has it to itself. */
    readonly sharedFolder: string;
  }
}

/** Gives all files of one test run a folder for expensive results, and removes it at the end. */
export default function shareFolder(project: TestProject): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), 'anode-shared-'));
  // Other users can enter it, because tests start its programs as one.
  chmodSync(folder, 0o711);
  project.provide('sharedFolder', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
