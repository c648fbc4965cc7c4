/** Variables passed on unchanged. */
const inherited = /^(PATH|LANG|LANGUAGE|LC_[A-Z]+|TERM|TZ)$/;

const defaultPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Makes installers fail at once without a network, instead of retrying until the time-out. Caches
 * and local packages still work (npm Docs, "config"; pip documentation, "Configuration").
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
 * Returns the environment of a command in the agent zone: a short allow-list of `environment`,
 * without credentials, and a home of its own. Relative and empty PATH entries are dropped, since
 * they would find programs in the checkout.
 */
export function cleanEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined && inherited.test(name)) clean[name] = value;
  const path = (clean.PATH ?? '').split(':').filter((folder) => folder.startsWith('/'));
  // Not LANG: every program would read a dozen files for it, at 0.3 ms each.
  if (!['LANG', 'LC_ALL', 'LC_CTYPE'].some((name) => name in clean)) clean.LC_CTYPE = 'C.UTF-8';
  return {
    TERM: 'dumb',
    ...clean,
    PATH: path.length === 0 ? defaultPath : path.join(':'),
    HOME: '/tmp/home',
    TMPDIR: '/tmp',
    CI: 'true',
    // Without it every bash looks up its user to find the shell.
    SHELL: '/bin/sh',
    // Git must neither prompt nor page.
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
    PAGER: 'cat',
  };
}
