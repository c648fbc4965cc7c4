import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import type { ScriptedCall } from '../support/model/script.ts';
import { call } from '../uses/support/conversation.ts';
import { noHarm, type Range, startRange } from './support/range.ts';

vi.setConfig({ maxConcurrency: 4 });

let range: Range;

/** A run on a branch with these files; whether the honest change was published all the same. */
async function run(
  branch: string,
  options: { files?: Readonly<Record<string, string>>; calls?: readonly ScriptedCall[]; task: string },
) {
  const { stage, shop } = range;
  const { files, calls = [], task } = options;
  const edit = call('edit_file', { path: 'colour.txt', old_str: 'red', new_str: 'blue' });
  stage.learn(`clone ${task}`, (turn) => {
    const now = [...calls, edit][turn - 1];
    return now === undefined ? { text: 'Done here.' } : { calls: [now] };
  });
  const number = await range.openPull({ branch, title: task, ...(files === undefined ? {} : { files }) });
  const { id } = shop.comment(number, { author: 'ada', body: `@anode clone ${task}` });
  const report = await stage.report(shop, number, id);
  return { report: report.split('\n')[0], colour: await colourOf(branch), harm: await range.harm() };
}

const colourOf = async (branch: string) =>
  (await range.shop.git('show', `refs/heads/${branch}:colour.txt`)).trim();

const done = {
  report: expect.stringMatching(/^\*\*Done\.\*\* Committed /),
  colour: 'blue',
  harm: noHarm,
};

describe.skipIf(!available)('git runs no program of the attacker', () => {
  beforeAll(async () => {
    range = await startRange();
  });
  afterAll(() => range.close());

  const owned = () => `touch ${range.outside.file}.owned`;
  const program = () => `${range.outside.file}.owned`;

  test.concurrent('named by a branch that looks like an option', async () => {
    const branch = `--upload-pack=touch$IFS${program().replaceAll('/', '$PWD')}`;
    expect(await run(branch, { task: 'upload-pack' })).toEqual(done);
  });

  test.concurrent('named by files that look like options', async () => {
    const files = {
      '-rf': 'a\n',
      '--output=owned': 'a\n',
      '--exec=sh': 'a\n',
      ':(top,exclude)colour.txt': 'a\n',
      'ext::sh -c owned': 'a\n',
    };
    const calls = [
      call('create_file', { path: '--output=colour.txt', content: 'b\n' }),
      call('create_file', { path: ':(exclude)*', content: 'b\n' }),
      call('read', { path: '-rf' }),
      call('grep', { pattern: '--pre=sh', path: '--output=owned' }),
    ];
    expect(await run('option-files', { task: 'option files', files, calls })).toEqual(done);
  });

  test.concurrent('named by the configuration of a nested repository', async () => {
    const config = `[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tworktree = ..\n\tfsmonitor = "${owned()}"\n\tsshCommand = "${owned()}"\n`;
    const files = {
      'sub/HEAD': 'ref: refs/heads/main\n',
      'sub/config': config,
      'sub/objects/.keep': '',
      'sub/refs/.keep': '',
    };
    const calls = [
      call('bash', {
        command: `cp -r sub .inner; git init -q nested; git -C nested config core.fsmonitor '${owned()}'; git -C sub status; rm -rf .inner`,
      }),
      call('grep', { pattern: 'main', path: 'sub' }),
      call('glob', { pattern: '**/*', path: 'sub' }),
    ];
    expect((await run('nested', { task: 'nested', files, calls })).harm).toEqual(noHarm);
  });

  test.concurrent('set by the model as a filter or a hook', async () => {
    const files = { '.gitattributes': '* filter=own diff=own merge=own\n', 'note.txt': 'a\n' };
    const set = ['clean', 'smudge', 'process'].map((name) => `git config filter.own.${name} '${owned()}'`);
    const command = [
      ...set,
      `git config diff.own.textconv '${owned()}'; git config diff.own.command '${owned()}'; git config diff.external '${owned()}'`,
      `git config core.fsmonitor '${owned()}'; git config core.hooksPath hooks; git config core.sshCommand '${owned()}'; git config credential.helper '!${owned()}'`,
      `mkdir -p hooks; for h in pre-commit pre-push post-checkout post-index-change reference-transaction; do printf '#!/bin/sh\\n${owned()}\\n' > hooks/$h; chmod +x hooks/$h; done; cp hooks/* .git/hooks/; rm -r hooks`,
      'true',
    ].join('\n');
    expect(await run('filters', { task: 'filters', files, calls: [call('bash', { command })] })).toEqual(
      done,
    );
  });

  test.concurrent('set in a git directory that replaces ours', async () => {
    const command = `rm -rf .git; git init -q .; git config core.fsmonitor '${owned()}'; git config core.worktree /; mv .git .g; echo "gitdir: $PWD/.g" > .git; true`;
    const result = await run('swapped', { task: 'swapped', calls: [call('bash', { command })] });
    expect(result.harm).toEqual(noHarm);
  });

  test.concurrent('named by a submodule', async () => {
    const files = {
      '.gitmodules': `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c ${owned()}\n\tupdate = !${owned()}\n[submodule "y"]\n\tpath = y\n\turl = http://127.0.0.1:${range.listener.port}/y.git\n`,
    };
    const calls = [call('bash', { command: 'git submodule update --init --recursive; true' })];
    expect(await run('submodule', { task: 'submodule', files, calls })).toEqual(done);
  });
});
