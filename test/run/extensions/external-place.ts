import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ExternalRun } from '../../../src/run/extensions/external-run.ts';
import { localOrigin } from '../../../src/run/policy/local-plan.ts';
import { available, type RunnerPlace, runnerPlace } from '../../sandbox/runner-fixture.ts';

type Files = Readonly<Record<string, string | Buffer>>;

/** The environment of tests for external tools: a checkout, files in it, and runs on it. */
export interface ExternalPlace extends RunnerPlace {
  /** Writes files below a folder; left out, the checkout. */
  readonly put: (files: Files, folder?: string) => void;
  /** Writes files below the checkout and commits all that lies there. */
  readonly commit: (files: Files) => void;
  /** A run of somebody on their own machine, with a folder of its own. */
  readonly runOf: (change?: Partial<ExternalRun>) => ExternalRun;
}

/** Gives each test of the file that calls it a fresh place. `isProgram` tells by its path which file can be started. */
export function externalPlace(isProgram: (name: string) => boolean): ExternalPlace {
  const place = runnerPlace();
  let runs = 0;
  const put = (files: Files, folder = place.root) => {
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(folder, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
      chmodSync(file, isProgram(name) ? 0o755 : 0o644);
    }
  };
  // A test's values change with each test, so helpers extend this object itself.
  return Object.assign(place, {
    put,
    commit(files: Files) {
      put(files);
      execFileSync('git', ['add', '-A'], { cwd: place.root });
      execFileSync('git', ['commit', '-qm', 'files'], { cwd: place.root });
    },
    runOf(change: Partial<ExternalRun> = {}): ExternalRun {
      runs += 1;
      const runFolder = path.join(place.folder, `run-${runs}`);
      mkdirSync(runFolder);
      return {
        ...{
          config: {},
          root: place.root,
          runFolder,
          sandboxed: available,
          plan: localOrigin(place.root),
          readOnly: false,
        },
        ...{ store: null, environment: { PATH: process.env.PATH }, secrets: [], warn: () => undefined },
        signal: new AbortController().signal,
        ...change,
      };
    },
  });
}
