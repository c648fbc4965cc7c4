import { posix } from 'node:path';
import { isCredentialPath } from '../../permissions/gate/credential-paths.ts';
import { codeRegions } from '../../untrusted-text/code-regions.ts';
import type { TrustedTree } from '../../workspace/git/trusted-tree.ts';

/**
 * Files within files so deep, and so many of them in all, are still put in; so many names are
 * looked for, each by a process.
 */
const limits = { depth: 5, files: 20, lookups: 100 };

/** Characters of the longest path that is taken for one. */
const longestPath = 400;

/** `@path` at the start of a line or behind white space or a bracket, as far as a path can go. */
const mention = /(?<=^|[\s([])@([^\s`<>|"'*?]{1,401})/g;

/**
 * Appends to instructions the files that they name with `@path`, relative to their folder. Files
 * inside those follow, each once. Code does not count. A line replaces what cannot be included: a
 * circle, a path out of the repository, a credential file, a missing file. A word that is no path,
 * such as a person's name, stays as it is.
 */
export async function expandIncludes(tree: TrustedTree, path: string, text: string): Promise<string> {
  const known = new Set([path]);
  const parts: string[] = [text.trim()];
  let lookups = 0;
  const include = async (from: string, words: string, above: readonly string[]): Promise<void> => {
    for (const named of mentionedIn(words)) {
      const resolved = resolvePath(named, from);
      if ('problem' in resolved) {
        parts.push(reasonLine(named, from, resolved.problem));
        continue;
      }
      const target = resolved.path;
      if ([...above, from].includes(target)) {
        parts.push(reasonLine(named, from, 'it is put in already above, and would go round in a circle'));
        continue;
      }
      if (known.has(target)) continue;
      if (isCredentialPath(target) !== null || /(?:^|\/)\.env(?:\.|$)/i.test(target)) {
        parts.push(reasonLine(named, from, 'credentials are kept there'));
        continue;
      }
      lookups += 1;
      if (lookups > limits.lookups) {
        parts.push(reasonLine(named, from, `no more than ${limits.lookups} names are looked for`));
        return;
      }
      const bytes = (await tree.read([target])).get(target);
      if (bytes === undefined || bytes.includes(0)) {
        // A person, or a package with a scope, looks just the same.
        if (isPath(named))
          parts.push(reasonLine(named, from, 'there is no such text file of at most 256 KiB'));
        continue;
      }
      if (above.length >= limits.depth || known.size > limits.files) {
        const most = above.length >= limits.depth ? `${limits.depth} deep` : `${limits.files} of them`;
        parts.push(reasonLine(named, from, `files are put in at most ${most}`));
        continue;
      }
      known.add(target);
      const content = bytes.toString('utf8').replace(/^\ufeff/, '');
      parts.push(`[${target}, included by ${from}]\n${content.trim()}`);
      await include(target, content, [...above, from]);
    }
  };
  await include(path, text, []);
  return parts.join('\n\n');
}

function reasonLine(named: string, from: string, why: string): string {
  return `[@${named} in ${from} is not included: ${why}]`;
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
