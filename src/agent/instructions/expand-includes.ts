import { posix } from 'node:path';
import { isCredentialPath } from '../../permissions/gate/credential-paths.ts';
import { codeRegions } from '../../untrusted-text/code-regions.ts';
import type { TrustedTree } from '../../workspace/git/trusted-tree.ts';

/** Maximum depth of includes, included files, and names that are looked up, each by a process. */
const limits = { depth: 5, files: 20, lookups: 100 };

/** Characters of the longest path that is taken for one. */
const longestPath = 400;

const tooManyLookups = `no more than ${limits.lookups} names are looked for`;

/** `@path` at the start of a line or behind white space or a bracket, as far as a path can go. */
const mention = /(?<=^|[\s([])@([^\s`<>|"'*?]{1,401})/g;

/**
 * Appends to instructions the files that they name with `@path`, relative to their folder. Files
 * inside those follow, each once. Code does not count. A line replaces what cannot be included: a
 * circle, a path out of the repository, a credential file, a missing file. A word that is not a
 * path, such as a person's name, stays as it is.
 */
export async function expandIncludes(tree: TrustedTree, path: string, text: string): Promise<string> {
  const expansion = new Expansion(tree, path, text.trim());
  await expansion.include(path, text, []);
  return expansion.parts.join('\n\n');
}

/** One text with the files that it includes so far. */
class Expansion {
  readonly parts: string[];
  readonly #tree: TrustedTree;
  readonly #included: Set<string>;
  #lookups = 0;

  constructor(tree: TrustedTree, path: string, text: string) {
    this.#tree = tree;
    this.#included = new Set([path]);
    this.parts = [text];
  }

  /** Includes the files that a text names. `above`: the files around it, outermost first. */
  async include(from: string, text: string, above: readonly string[]): Promise<void> {
    const around = [...above, from];
    for (const named of mentionedIn(text)) {
      const found = await this.#find(named, around);
      if (found === null) continue;
      if (typeof found === 'string') {
        this.parts.push(`[@${named} in ${from} is not included: ${found}]`);
        if (found === tooManyLookups) return;
        continue;
      }
      this.#included.add(found.path);
      this.parts.push(`[${found.path}, included by ${from}]\n${found.content.trim()}`);
      await this.include(found.path, found.content, around);
    }
  }

  /** Returns a file, or why it is not included. Null for a name that needs no line. */
  async #find(
    named: string,
    around: readonly string[],
  ): Promise<{ readonly path: string; readonly content: string } | string | null> {
    const resolved = resolvePath(named, around.at(-1) ?? '');
    if ('problem' in resolved) return resolved.problem;
    const { path } = resolved;
    if (around.includes(path)) return 'it is put in already above, and would go round in a circle';
    if (this.#included.has(path)) return null;
    if (isCredentialPath(path) !== null || /(?:^|\/)\.env(?:\.|$)/i.test(path))
      return 'credentials are kept there';
    this.#lookups += 1;
    if (this.#lookups > limits.lookups) return tooManyLookups;
    const bytes = (await this.#tree.read([path])).get(path);
    if (bytes === undefined || bytes.includes(0))
      // A person, or a package with a scope, looks just the same.
      return isPath(named) ? 'there is no such text file of at most 256 KiB' : null;
    if (around.length > limits.depth) return `files are put in at most ${limits.depth} deep`;
    if (this.#included.size > limits.files) return `files are put in at most ${limits.files} of them`;
    return { path, content: bytes.toString('utf8').replace(/^\ufeff/, '') };
  }
}

/** Returns the names in a text, each once, in order, without punctuation behind them. */
function mentionedIn(text: string): string[] {
  if (!text.includes('@')) return [];
  const code = codeRegions(text, { html: false });
  const found = [...text.matchAll(mention)]
    .filter(({ index }) => !code.some(({ start, end }) => index >= start && index < end))
    .map(([, named = '']) => (named.length > longestPath ? '' : named.replace(/[.,;:!)\]]+$/, '')))
    .filter((named) => named !== '');
  return [...new Set(found)];
}

/** Returns true if a name can only be a file. */
function isPath(named: string): boolean {
  return /^\.{1,2}\//.test(named) || /\.(?:md|mdx|mdc|txt|rst|adoc|json|ya?ml|toml)$/i.test(named);
}

function resolvePath(named: string, from: string): { readonly path: string } | { readonly problem: string } {
  const out = 'it leads out of the repository';
  if (named.startsWith('~') || named.startsWith('/')) return { problem: out };
  const path = posix.normalize(posix.join(posix.dirname(from), named));
  if (path === '..' || path.startsWith('../')) return { problem: out };
  return path.split('/').some((part) => part.toLowerCase() === '.git')
    ? { problem: "it is git's own" }
    : { path: path.replace(/\/$/, '') };
}
