import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createCommandRunner } from '../../src/sandbox/create-command-runner.ts';
import { systemArguments } from '../../src/sandbox/sandbox-layout.ts';
import { startMember } from '../../src/sandbox/sandbox-member.ts';
import { available, processesWith, runnerPlace } from './runner-fixture.ts';

const place = runnerPlace();

describe.skipIf(!available)('the pool of sandboxes', () => {
  it('treats a sandbox that cannot be set up as a defect, not as the result of a command', async () => {
    const run = await place.runnerOf('required');
    rmSync(place.agentGit, { recursive: true });
    let reply = '';
    const running = run('true', {
      onOutput: (chunk) => {
        reply += chunk.toString();
      },
    });
    await expect(running).rejects.toThrow('The sandbox could not be set up');
    expect(reply).toContain(place.agentGit);
  });

  it('starts no sandbox without the filter of system calls', async () => {
    const member = startMember(systemArguments(null), {
      bwrap: 'bwrap',
      environment: { PATH: process.env.PATH ?? '' },
      identity: {},
      filterFile: join(place.folder, 'cleaned-away'),
      cgroup: null,
    });
    member.start({ before: '', command: 'echo ran' });
    const output = await text(member.child.stdout ?? Readable.from([]));
    expect([output, await member.cameUp()]).toEqual(['', false]);
  });

  it('leaves no sandbox waiting after it is closed', async () => {
    const runner = await createCommandRunner({
      mode: 'required',
      workspace: { root: place.root, agentGitDirectory: async () => null },
      spillFolder: place.spillFolder,
      environment: process.env,
    });
    await runner.warm();
    const waiting = processesWith(place.root).filter((line) => line.startsWith('bwrap')).length;
    await runner.close();
    expect([waiting > 0, processesWith(place.root)]).toEqual([true, []]);
  });

  it('ends with the program that started it and does not keep it alive', async () => {
    const script = `
      import { createCommandRunner } from ${JSON.stringify(join(import.meta.dirname, '../../src/sandbox/create-command-runner.ts'))};
      const runner = await createCommandRunner({ mode: 'required', workspace: { root: ${JSON.stringify(place.root)}, agentGitDirectory: async () => null }, spillFolder: ${JSON.stringify(place.spillFolder)}, environment: process.env });
      await runner.warm();
      console.log('ready');
    `;
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    expect(await once(child, 'exit')).toEqual([0, null]);
    await expect.poll(() => processesWith(place.root)).toEqual([]);
  });
});
