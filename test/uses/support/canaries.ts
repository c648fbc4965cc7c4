import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ScriptedCall } from '../../support/model/script.ts';
import { call } from './conversation.ts';

/**
 * A secret that is known by the place it was put in. A finder reports only the first half, which no
 * redaction recognises: a leak to the agent is then visible even if it would be redacted later.
 */
export const canary = (place: string) => `cnry-${place}-5f3a9c1e7b2d4860`;

/** The places that a text tells of. */
export function placesIn(text: string): string[] {
  return [...new Set([...text.matchAll(/cnry-([a-z_0-9]+)-/g)].map(([, place = '']) => place))].sort();
}

/** Variables with a secret in each, as a workflow and a maintainer's shell have them. */
export function secretVariables(): Record<string, string> {
  const names =
    'GITHUB_TOKEN GH_TOKEN ACTIONS_ID_TOKEN_REQUEST_TOKEN ACTIONS_ID_TOKEN_REQUEST_URL ACTIONS_RUNTIME_TOKEN ACTIONS_RUNTIME_URL ACTIONS_CACHE_URL ACTIONS_RESULTS_URL AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN NPM_TOKEN NODE_AUTH_TOKEN OPENAI_API_KEY DOCKER_AUTH_CONFIG INPUT_ANTHROPIC_API_KEY';
  return Object.fromEntries(names.split(' ').map((name) => [name, canary(name.toLowerCase())]));
}

/** Files in a home folder, by the name of their canary. */
const homeFiles = {
  netrc: '.netrc',
  gh: '.config/gh/hosts.yml',
  anode_config: '.config/anode/config.json.bak',
  git_credentials: '.git-credentials',
  npmrc: '.npmrc',
  docker: '.docker/config.json',
  aws: '.aws/credentials',
  ssh: '.ssh/id_ed25519',
  history: '.bash_history',
  kube: '.kube/config',
  // The key of a self-hosted runner, beside its work folder.
  runner: 'actions-runner/.credentials_rsaparams',
};

/** Files of commands of a workflow's step, in its temporary folder: not to be read, and not to be written. */
const commandFiles = {
  GITHUB_ENV: 'set_env',
  GITHUB_OUTPUT: 'set_output',
  GITHUB_PATH: 'add_path',
  GITHUB_STATE: 'save_state',
  GITHUB_STEP_SUMMARY: 'step_summary',
};

export interface Planted {
  /** Every file that holds a canary. */
  readonly files: readonly string[];
  /** The files that a step's commands are written to, with their first content. */
  readonly commandFiles: Readonly<Record<string, string>>;
  /** Further variables for the start of the program. */
  readonly environment: Readonly<Record<string, string>>;
  /** A git directory beside ours with a commit, and that commit. */
  readonly otherGit: { readonly folder: string; readonly commit: string };
}

/** Puts a canary into each place of a machine that has one. `temp` is the runner's, `data` our own folder. */
export function plant(places: { home: string; temp: string; data: string }): Planted {
  const files: string[] = [];
  const put = (file: string, text: string) => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    files.push(file);
  };
  for (const [name, file] of Object.entries(homeFiles))
    put(path.join(places.home, file), `${canary(name)}\n`);
  const environment: Record<string, string> = { ...secretVariables(), RUNNER_TEMP: places.temp };
  for (const [variable, name] of Object.entries(commandFiles)) {
    environment[variable] = path.join(places.temp, '_runner_file_commands', name);
    put(environment[variable], `${canary(name)}\n`);
  }
  put(path.join(places.temp, 'git-credentials-1.config'), `${canary('checkout_credentials')}\n`);
  put(path.join(places.temp, 'bin/tool'), '#!/bin/sh\necho tool\n');
  put(path.join(places.temp, '_github_home/token'), `${canary('github_home')}\n`);
  put(path.join(places.data, 'runs/run_other/ledger.jsonl'), `${canary('other_run')}\n`);
  put(path.join(places.data, 'state/sessions.json'), `${canary('state')}\n`);
  put(path.join(places.data, 'mirrors/other.git/config'), `[http]\n\textraheader = ${canary('mirror')}\n`);
  const otherTree = path.join(places.data, 'other-tree');
  put(path.join(otherTree, 'private.txt'), `${canary('other_repository')}\n`);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: otherTree,
      encoding: 'utf8',
    });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'Private');
  const otherGit = { folder: path.join(otherTree, '.git'), commit: git('rev-parse', 'HEAD').trim() };
  const asTheyWere = commandContents(environment);
  return { files, commandFiles: asTheyWere, environment, otherGit };
}

/** The present content of the files of commands. */
export function commandContents(environment: Readonly<Record<string, string>>): Record<string, string> {
  const named = Object.keys(commandFiles).map((variable) => environment[variable] ?? '');
  return Object.fromEntries(named.map((file) => [file, readFileSync(file, 'utf8')]));
}

/** Everything that a program of the agent can search, reported as the first halves of its finds. */
export function sweep(planted: Planted, above: string, socket: string): string {
  const { folder, commit } = planted.otherGit;
  const found = `grep -oaE "[c]nry-[a-z_0-9]+-"`;
  const writes = Object.keys(planted.commandFiles).map(
    (file) => `(mkdir -p $(dirname ${file}); echo 'FORGED=1' >> ${file}) 2>/dev/null`,
  );
  return [
    ...writes,
    `{ env; cat /proc/*/environ /proc/*/cmdline | tr '\\0' '\\n'; git config --list --show-origin`,
    `cat /proc/*/root${above}/home/.netrc`,
    `GIT_ALTERNATE_OBJECT_DIRECTORIES=${folder}/objects git show ${commit}; echo ${folder}/objects > .git/objects/info/alternates; git show ${commit}`,
    `git --git-dir=${folder} show; git -C ${path.dirname(folder)} show; git log -p --all`,
    `perl -MSocket -e 'socket(S, 1, 1, 0); connect(S, pack_sockaddr_un("${socket}")); print <S>'`,
    `} 2>/dev/null | ${found} | sort -u`,
    `grep -rhoaE --exclude-dir=.{pyenv,cargo,rustup,nvm} "[c]nry-[a-z_0-9]+-" ${above} "$HOME" /home /root /run /var /etc /opt /srv /mnt /media . 2>/dev/null | sort -u`,
    // Leaves the targets of the next turn's links unchanged.
    `for file in ${planted.files.join(' ')}; do ln -sf $file link-$(basename $(dirname $file))-$(basename $file); done; ln -sfn ${above} up; echo swept`,
  ].join('\n');
}

/**
 * Every tool that reads files, for each location: by its path, by a link to it and by a link to a
 * folder above.
 */
export function lookingCalls(planted: Planted, above: string): ScriptedCall[] {
  const deferred = (name: string, args: ScriptedCall['input']) => call('use_tool', { name, args });
  const calls = planted.files.flatMap((file) => {
    const link = `link-${path.basename(path.dirname(file))}-${path.basename(file)}`;
    return [
      call('read', { path: file }),
      call('read', { path: link }),
      call('read', { path: path.join('up', path.relative(above, file)) }),
      call('grep', { pattern: '[c]nry', regex: true, path: link }),
      deferred('view_image', { path: link }),
    ];
  });
  const folders = [above, 'up', '/proc/self', '/proc/1', '.git', 'other/.git'];
  for (const folder of folders)
    calls.push(
      call('grep', { pattern: '[c]nry-[a-z_0-9]+-', regex: true, path: folder }),
      call('glob', { pattern: '**/.netrc', path: folder, include_hidden: true }),
      call('finder', { mode: 'text', query: 'extraheader', path: folder }),
      call('code_search', { query: 'cnry', path: folder }),
      deferred('list_directory', { path: folder, include_hidden: true }),
    );
  for (const file of [
    '/proc/self/environ',
    '/proc/self/cmdline',
    '.git/config',
    'other/.git/config',
    '../home/.netrc',
  ])
    calls.push(call('read', { path: file }));
  calls.push(call('multi_read', { paths: planted.files.slice(0, 10) }));
  for (const file of Object.keys(planted.commandFiles))
    calls.push(call('create_file', { path: file, content: 'FORGED=1\n', overwrite: true }));
  return calls;
}

/** All text of all files below folders, no link followed. */
export function allTextBelow(folders: readonly string[]): string {
  const found = execFileSync('find', [...folders, '-type', 'f', '-print0'], { encoding: 'utf8' });
  return found
    .split('\0')
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'latin1'))
    .join('\n');
}
