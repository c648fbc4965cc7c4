import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SandboxMode } from '../../../src/contract/levels.ts';
import { createCommandRunner } from '../../../src/permissions/sandbox/create-command-runner.ts';
import { probeSandbox } from '../../../src/permissions/sandbox/probe-sandbox.ts';
import { runnerPlace } from './runner-fixture.ts';

const place = runnerPlace();

describe('a machine on which the sandbox does not work', () => {
  let bin: string;
  beforeEach(() => {
    // A `bwrap` that fails as in a container without user namespaces.
    bin = join(place.folder, 'bin');
    mkdirSync(bin);
    writeFileSync(
      join(bin, 'bwrap'),
      '#!/bin/sh\necho "bwrap: No permissions to create a new namespace" >&2\nexit 1\n',
    );
    chmodSync(join(bin, 'bwrap'), 0o755);
  });

  const make = (mode: SandboxMode) =>
    createCommandRunner({
      mode,
      workspace: { root: place.root, agentGitDirectory: async () => null },
      spillFolder: place.spillFolder,
      environment: { PATH: bin },
    });

  it('stops a run that requires it, and says why and what to do', async () => {
    await expect(make('required')).rejects.toMatchObject({
      name: 'RunStopped',
      reason: {
        kind: 'sandbox_missing',
        message: expect.stringMatching(
          /requires a sandbox.*No permissions to create a new namespace.*(--security-opt|sysctl)/s,
        ),
      },
    });
  });

  it('lets a run that prefers it go on, and says that there is none', async () => {
    const runner = await make('preferred');
    expect(runner.sandboxed).toBe(false);
    await runner.close();
  });

  it('names the package where there is no bwrap at all', async () => {
    expect(await probeSandbox({ path: join(place.folder, 'nowhere') })).toMatchObject({
      available: false,
      cure: expect.stringContaining('apt-get install bubblewrap'),
    });
  });
});
