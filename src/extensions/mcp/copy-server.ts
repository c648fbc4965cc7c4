import { stat } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../../workspace/files/confine-path.ts';
import type { TrustedTree } from '../../workspace/git/trusted-tree.ts';
import { type CopiedCode, copyCode } from '../protocol/copy-code.ts';

/**
 * A server that is a program; `folder` is the base of relative paths, null for the trusted commit.
 */
export interface ServerProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string | null;
}

/** The copied code of a server. */
export interface CopiedServer extends CopiedCode {
  /** The first word that is code of the checkout; null for none. */
  readonly fromCheckout: string | null;
}

/** Words that are code files. */
const isCode = /^[^*?[\]{}]+\.(?:[cm]?[jt]s|py|rb|php|pl|sh|bash|lua|jar|wasm)$/i;

/** Folders of installed packages, which no commit holds. */
const installed = /(?:^|\/)(?:node_modules|\.venv|venv)\//;

/**
 * Copies the code of a server out of the checkout, as the trusted commit has it. Only the program
 * and arguments that are code count as files. Installed packages stay in the checkout. A problem is
 * a clause with the server as its subject.
 */
export async function copyServer(
  { command, args, folder }: ServerProgram,
  place: {
    readonly target: string;
    readonly root: string;
    readonly closed: readonly string[];
    readonly trusted: () => Promise<TrustedTree | null>;
  },
): Promise<CopiedServer | { readonly problem: string }> {
  const given = [command, ...args];
  const inCheckout = (word: string) => isInside(place.root, path.resolve(folder ?? place.root, word));
  const local = given.map((word) => installed.test(word) && inCheckout(word));
  const code = given.map((word, index) => !local[index] && (index === 0 || isCode.test(word)));
  // The operator's data outside the checkout must be mounted.
  const data: string[] = [];
  for (const [index, word] of given.entries())
    if (folder !== null && index > 0 && !code[index] && path.isAbsolute(word) && !inCheckout(word))
      if ((await stat(word).catch(() => null)) !== null) data.push(word);
  const copied = await copyCode(
    {
      command: given.map((word, index) => {
        if (!code[index]) return 'word';
        // A bare name is a system program first, a code file otherwise.
        return index > 0 && !word.includes('/') ? `./${word}` : word;
      }),
      files: data,
      folder,
    },
    place,
  );
  if ('problem' in copied) {
    const bare = given.find((word) => copied.problem.includes(` ./${word} `));
    return {
      problem: bare === undefined ? copied.problem : copied.problem.replace(` ./${bare} `, ` ${bare} `),
    };
  }
  const argv = given.map((word, index) => {
    if (local[index]) return path.resolve(folder ?? place.root, word);
    const own = copied.argv[index] ?? word;
    if (!code[index]) return word;
    return own.includes('/') ? path.resolve(copied.folder, own) : own;
  });
  const first = given.findIndex((_, index) => local[index]);
  return { argv: argv, folder: copied.folder, shown: copied.shown, fromCheckout: given[first] ?? null };
}

/** Variables that make interpreters load code. */
const codeVariable =
  /^(?:PATH|NODE_(?:OPTIONS|PATH)|PYTHON(?:PATH|HOME|STARTUP|USERBASE)|RUBY(?:LIB|OPT)|GEM_(?:HOME|PATH)|PERL5?(?:LIB|OPT)|BASH_ENV|ENV|CLASSPATH|JAVA_TOOL_OPTIONS|LD_(?:PRELOAD|LIBRARY_PATH|AUDIT)|LUA_(?:C?PATH|INIT)|VIRTUAL_ENV|npm_config_\w+)$/i;

/** An option with code as its value: `--import=/…/hook.mjs`. */
const codeOption = /^-[^=]*=.*\.(?:[cm]?[jt]sx?|py|rb|php|pl|sh|bash|lua|jar|so)$/i;

/**
 * Finds options (`argv`) and environment variables that make a server load code of the checkout.
 * Returns a phrase for a sentence; null if none is found.
 */
export function codeFromCheckout(
  root: string,
  argv: readonly string[],
  variables: Readonly<Record<string, string>>,
): string | null {
  const option = argv.find((word) => codeOption.test(word) && word.includes(`=${root}/`));
  if (option !== undefined) return `what ${option} names`;
  const named = Object.entries(variables).find(
    ([name, value]) => codeVariable.test(name) && (value.includes(`${root}/`) || value.endsWith(root)),
  );
  return named === undefined ? null : `what ${named[0]} leads to`;
}
