import { startGit } from './git-starter.ts';
import { isFixed, keepAnswer, keptAnswer } from './kept-answers.ts';
import { looseRef, looseRefs } from './refs.ts';

export interface GitOptions {
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
  /** Exit codes that are an answer, not a failure; 0 always is. */
  readonly accept?: readonly number[];
}

/** The machine's own configuration must not affect the stand-in. */
export const gitEnvironment: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  HOME: '/nonexistent',
  LC_ALL: 'C.UTF-8',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
};

/**
 * Runs git in a directory and gives its standard output; throws with git's words where it fails. What can never
 * change is asked of git once for each repository.
 */
export async function gitBytes(
  directory: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<Buffer> {
  const { input, env } = options;
  if (input !== undefined || env !== undefined || !isFixed(args))
    return (await runGit(directory, args, options)).output;
  const stored = await keptAnswer(directory, args);
  if (stored !== undefined) return stored;
  const { code, output } = await runGit(directory, args, options);
  if (code === 0) await keepAnswer(directory, args, output);
  return output;
}

async function runGit(
  directory: string,
  args: readonly string[],
  { input, env = {}, accept = [] }: GitOptions,
): Promise<{ code: number; output: Buffer }> {
  const { code, output, errors } = await startGit({
    args: ['-c', 'safe.directory=*', ...args],
    cwd: directory,
    env: { ...gitEnvironment, ...env },
    input: typeof input === 'string' ? Buffer.from(input) : input,
  });
  if (code !== 0 && !accept.includes(code))
    throw new Error(`git ${args[0]} failed (${code}): ${Buffer.from(errors).toString('utf8').trim()}`);
  return { code, output: Buffer.from(output) };
}

/** Like `gitBytes`, as text without the final newline. */
export async function git(
  directory: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<string> {
  return (await gitBytes(directory, args, options)).toString('utf8').replace(/\n$/, '');
}

/** The object id of a revision, null if there is none. */
export async function resolveCommit(directory: string, revision: string): Promise<string | null> {
  const loose = /^refs\/heads\//.test(revision) ? await looseRef(directory, revision) : undefined;
  if (loose !== undefined) return loose;
  const id = await git(
    directory,
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`],
    {
      accept: [1, 128],
    },
  );
  return id === '' ? null : id;
}

/** The commit at the tip of a branch, null where there is no such branch. */
export const branchHead = (directory: string, branch: string): Promise<string | null> =>
  resolveCommit(directory, `refs/heads/${branch}`);

/** All refs of a repository with the object each names. */
export async function listRefs(directory: string): Promise<Map<string, string>> {
  const loose = await looseRefs(directory);
  if (loose !== undefined) return loose;
  const lines = await git(directory, ['for-each-ref', '--format=%(refname) %(objectname)']);
  return new Map(
    lines
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const space = line.indexOf(' ');
        return [line.slice(0, space), line.slice(space + 1)] as const;
      }),
  );
}
