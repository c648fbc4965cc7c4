/** A remote and its credentials. */
export interface GitRemote {
  /** `https://github.com/acme/shop.git`, without credentials. */
  readonly url: string;
  /** Null for a public repository or a local path. */
  readonly token: string | null;
  /** Variables of the operator's network, chosen by the root: `HTTPS_PROXY`, `GIT_SSL_CAINFO`. */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Settings that no repository can override: for git the environment outranks files. Everything in a
 * hostile tree that would start a program is off: hooks, fsmonitor, submodules, credential helpers,
 * background maintenance.
 */
const settings: Readonly<Record<string, string>> = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.attributesFile': '/dev/null',
  'core.excludesFile': '/dev/null',
  'core.askPass': '',
  'core.pager': 'cat',
  'core.autocrlf': 'false',
  'core.safecrlf': 'false',
  'safe.directory': '*',
  'credential.helper': '',
  'submodule.recurse': 'false',
  'fetch.recurseSubmodules': 'false',
  'push.recurseSubmodules': 'no',
  'diff.ignoreSubmodules': 'dirty',
  'http.followRedirects': 'false',
  // A connection below one kilobyte a second for a minute is dropped.
  'http.lowSpeedLimit': '1000',
  'http.lowSpeedTime': '60',
  'protocol.ext.allow': 'never',
  // Larger files are streamed and binary in a diff. Git's default of 512 MB is held in memory
  // several times.
  'core.bigFileThreshold': '64m',
  'pack.windowMemory': '256m',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'commit.gpgSign': 'false',
  'push.gpgSign': 'false',
  'tag.gpgSign': 'false',
};

/**
 * Returns the full environment of a broker's git process; nothing is inherited. The token is an
 * HTTP header for the remote's own host (git-config, `http.<url>.*`). It is set by variables (git,
 * GIT_CONFIG_COUNT), so it is in no file and on no command line.
 */
export function gitEnvironment(remote?: GitRemote): Record<string, string> {
  const config = { ...settings, ...credentialSettings(remote) };
  const environment: Record<string, string> = {
    ...remote?.environment,
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
    GIT_CONFIG_COUNT: String(Object.keys(config).length),
  };
  for (const [index, [key, value]] of Object.entries(config).entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return environment;
}

function credentialSettings(remote: GitRemote | undefined): Record<string, string> {
  if (remote === undefined || remote.token === null || !/^https?:\/\//.test(remote.url)) return {};
  // GitHub, "Authenticating as a GitHub App installation": the token is the password of
  // x-access-token.
  const basic = Buffer.from(`x-access-token:${remote.token}`).toString('base64');
  return { [`http.${new URL(remote.url).origin}/.extraHeader`]: `Authorization: Basic ${basic}` };
}
