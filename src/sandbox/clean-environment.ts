/** Variables that a command may see as they are: where programs lie, language, terminal and time zone. */
const kept = /^(PATH|LANG|LANGUAGE|LC_[A-Z]+|TERM|TZ)$/;

const defaultPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * What has installers fail at once where there is no network, in place of trying until the time-out (npm Docs,
 * "config"; pip documentation, "Configuration"). What they have in a cache or the project still works.
 */
export const withoutNetwork: Readonly<Record<string, string>> = {
  npm_config_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
  PIP_NO_INDEX: '1',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
};

/**
 * The environment of a command in the agent zone: a short allow-list of `environment` and a home of its
 * own. No credential is ever in the list. Relative and empty entries of PATH are dropped:
 * they would find programs in the checkout.
 */
export function cleanEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined && kept.test(name)) clean[name] = value;
  const path = (clean.PATH ?? '').split(':').filter((folder) => folder.startsWith('/'));
  const hasLanguage = ['LANG', 'LC_ALL', 'LC_CTYPE'].some((name) => name in clean);
  return {
    // Not LANG, for which every program would read a dozen files that say the same as no language: 0.3 ms each, and a command is two.
    ...(hasLanguage ? {} : { LC_CTYPE: 'C.UTF-8' }),
    TERM: 'dumb',
    ...clean,
    PATH: path.length === 0 ? defaultPath : path.join(':'),
    HOME: '/tmp/home',
    TMPDIR: '/tmp',
    CI: 'true',
    // Without it every bash looks up whom it runs as, to find the shell.
    SHELL: '/bin/sh',
    // Git must never wait for a person, nor page.
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
    PAGER: 'cat',
  };
}
