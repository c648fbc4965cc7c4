import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { cleanEnvironment, withoutNetwork } from '../../src/sandbox/clean-environment.ts';
import { available, runnerPlace } from './runner-fixture.ts';

const place = runnerPlace();

describe.skipIf(!available)('without network', () => {
  it('npm runs installed programs and fails immediately if it would have to download', async () => {
    writeFileSync(join(place.root, 'package.json'), '{"scripts": {"test": "echo tested"}}');
    const run = await place.runnerOf('required');
    const { exitCode, output } = await run(
      'npm test --silent && npm install --silent left-pad@1.3.0 2> said; echo "code $?"; cat said; ls',
    );
    expect({ exitCode, output: output.split('\n').slice(0, 2) }).toEqual({
      exitCode: 0,
      output: ['tested', 'code 1'],
    });
    const { output: why, durationMs } = await run('npx --yes left-pad@1.3.0 2>&1');
    expect({ why: why.includes('ENOTCACHED'), fast: durationMs < 15_000 }).toEqual({ why: true, fast: true });
  });
});

describe('the offline settings', () => {
  it('are set only inside the sandbox, since without it there may be a network', async () => {
    const run = await place.runnerOf('off');
    const names = Object.keys(withoutNetwork);
    expect((await run(`env | grep -E '^(${names.join('|')})='`)).output).toBe('');
  });
});

test('a variable is passed only by its full name', () => {
  const given = { TERM: 'xterm', TZ: 'UTC', LC_ALL: 'C', LANGUAGE: 'de' };
  const secrets = { TERM_KEY: 's', TZ_TOKEN: 's', LC_ALL_KEY: 's', LANGUAGES: 's', PATHS: 's', MY_PATH: 's' };
  const added = cleanEnvironment({ LC_ALL: 'C' });
  expect(cleanEnvironment({ ...secrets, ...given })).toEqual({ ...added, ...given });
});

test('programs are never searched for in the checkout, whatever PATH contains', () => {
  const paths = ['bin::./x:/opt/go/bin:../y:/usr/bin:', 'node_modules/.bin', ''];
  const standard = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  expect(paths.map((PATH) => cleanEnvironment({ PATH }).PATH)).toEqual([
    '/opt/go/bin:/usr/bin',
    standard,
    standard,
  ]);
});

test('a command has its own home and temporary files, and never waits for a person', () => {
  const given = {
    HOME: '/root',
    TMPDIR: '/srv',
    CI: '',
    SHELL: '/bin/zsh',
    GIT_PAGER: 'less',
    PAGER: 'less',
  };
  expect(cleanEnvironment(given)).toEqual({
    ...{ LC_CTYPE: 'C.UTF-8', TERM: 'dumb' },
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    ...{ HOME: '/tmp/home', TMPDIR: '/tmp', CI: 'true', SHELL: '/bin/sh' },
    ...{ GIT_TERMINAL_PROMPT: '0', GIT_PAGER: 'cat', PAGER: 'cat' },
  });
});

test('text is UTF-8 unless the operator names a language', () => {
  const languages = (environment: Record<string, string>) =>
    Object.entries(cleanEnvironment(environment)).filter(([name]) => /^LANG|^LC_/.test(name));
  expect([languages({}), languages({ LANG: 'de_DE.UTF-8' }), languages({ LC_ALL: 'C' })]).toEqual([
    [['LC_CTYPE', 'C.UTF-8']],
    [['LANG', 'de_DE.UTF-8']],
    [['LC_ALL', 'C']],
  ]);
});
