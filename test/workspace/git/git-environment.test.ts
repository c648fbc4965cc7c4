import { expect, test } from 'vitest';
import { gitEnvironment } from '../../../src/workspace/git/git-environment.ts';

/** Separates the git settings of an environment from its other variables. */
function taken(environment: Readonly<Record<string, string>>) {
  const { GIT_CONFIG_COUNT: count = '', ...all } = environment;
  const settings: Record<string, string> = {};
  for (let index = 0; index < Number(count); index += 1)
    settings[all[`GIT_CONFIG_KEY_${index}`] ?? ''] = all[`GIT_CONFIG_VALUE_${index}`] ?? '?';
  const variables = Object.fromEntries(
    Object.entries(all).filter(([name]) => !/_(KEY|VALUE)_\d+$/.test(name)),
  );
  return { settings, variables };
}

const settings = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.attributesFile': '/dev/null',
  'core.excludesFile': '/dev/null',
  'core.askPass': '',
  'core.pager': 'cat',
  'core.autocrlf': 'false',
  'core.bigFileThreshold': '64m',
  'core.safecrlf': 'false',
  'safe.directory': '*',
  'credential.helper': '',
  'submodule.recurse': 'false',
  'fetch.recurseSubmodules': 'false',
  'push.recurseSubmodules': 'no',
  'diff.ignoreSubmodules': 'dirty',
  'http.followRedirects': 'false',
  'http.lowSpeedLimit': '1000',
  'http.lowSpeedTime': '60',
  'protocol.ext.allow': 'never',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'pack.windowMemory': '256m',
  'commit.gpgSign': 'false',
  'push.gpgSign': 'false',
  'tag.gpgSign': 'false',
};

const variables = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_LFS_SKIP_SMUDGE: '1',
  GIT_ALLOW_PROTOCOL: 'file:http:https',
};

test('git gets a complete environment of its own, and nothing of ours', () => {
  expect(taken(gitEnvironment())).toEqual({ settings, variables });
});

test.each([
  ['https://github.test:8443/a/b.git', 'http.https://github.test:8443/.extraHeader'],
  ['http://github.test/a/b.git', 'http.http://github.test/.extraHeader'],
])('the token is sent as a header only to the host of %s', (url, name) => {
  const header = `Authorization: Basic ${Buffer.from('x-access-token:t0k').toString('base64')}`;
  expect(taken(gitEnvironment({ url, token: 't0k' }))).toEqual({
    settings: { ...settings, [name]: header },
    variables,
  });
});

test('a remote without a token, or with a path, gets no header', () => {
  const remotes = [
    { url: 'https://a.test/b', token: null },
    { url: '/srv/b.git', token: 't' },
  ];
  expect(remotes.map((remote) => taken(gitEnvironment(remote)).settings)).toEqual([settings, settings]);
});

test("network variables are passed on, but replace none of git's own", () => {
  const environment = { HTTPS_PROXY: 'http://p.test', HOME: '/root' };
  expect(taken(gitEnvironment({ url: '/b', token: null, environment })).variables).toEqual({
    ...variables,
    HTTPS_PROXY: 'http://p.test',
  });
});
