import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import { call } from '../uses/support/conversation.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

const names = ['bwrap', 'git', 'rg', 'sh', 'bash', 'grep', 'biome', 'node', 'ssh', 'script'];

let local: Local;
let outside: string;

describe.skipIf(!available)('programs of the checkout on PATH', () => {
  beforeAll(async () => {
    local = await startLocal();
    outside = mkdtempSync(path.join(os.tmpdir(), 'anode-started-'));
    chmodSync(outside, 0o777);
  });
  afterAll(async () => {
    rmSync(outside, { recursive: true });
    await local.close();
  });

  /** Reads, edits, searches and runs a command, with programs in `bin` that leave a file outside when they start. */
  async function startedBy(pathOf: (checkout: string) => string) {
    const started = mkdtempSync(path.join(outside, 'run-'));
    const program = (name: string) => `#!/bin/sh\ntouch ${started}/${name}\nexec /usr/bin/${name} "$@"\n`;
    const checkout = await local.checkout({
      'colour.txt': 'red\n',
      ...Object.fromEntries(names.map((name) => [`bin/${name}`, program(name)])),
    });
    for (const name of names) chmodSync(path.join(checkout, 'bin', name), 0o755);
    mkdirSync(path.join(checkout, 'src'));
    const words = `start nothing ${started}`;
    const calls = [
      call('edit_file', { path: 'colour.txt', old_str: 'red', new_str: 'blue' }),
      call('grep', { pattern: 'blue' }),
      call('bash', { command: 'echo hi >src/x.py' }),
    ];
    local.learn(words, (turn) => (turn === 1 ? { calls } : { text: 'Done.' }));
    const environment = { PATH: `${pathOf(checkout)}:${process.env.PATH}` };
    const { code } = await local.anode(checkout, ['run', '--prompt', words, '--sandbox', 'required'], {
      environment,
    });
    const search = ['tools', 'use', 'grep', '--arg', 'pattern=blue'];
    const used = await local.anode(checkout, search, { environment });
    return {
      codes: [code, used.code],
      ran: existsSync(path.join(checkout, 'src/x.py')),
      started: names.filter((name) => existsSync(path.join(started, name))),
    };
  }
  const nothing = { codes: [0, 0], ran: true, started: [] };

  test('are not started outside the sandbox by an absolute folder', async () => {
    expect(await startedBy((checkout) => path.join(checkout, 'bin'))).toEqual(nothing);
  });

  test('are not started outside the sandbox by relative entries', async () => {
    expect(await startedBy(() => 'bin:.:')).toEqual(nothing);
  });
});
