import { pathGlobs } from '../../permissions/patterns/path-globs.ts';
import { frontMatter } from '../../tools/text/front-matter.ts';
import type { TrustedTree } from '../../workspace/git/trusted-tree.ts';

/** Instructions for the files that their globs match. */
export interface ScopedInstructions {
  readonly ref: string;
  readonly globs: readonly string[];
  /** True where the globs mean every file. */
  readonly always: boolean;
  readonly text: string;
  matches(path: string): boolean;
}

/** Folder of such files, maximum depth below it, and maximum number of files. */
const location = { folder: '.github/instructions', depth: 4, most: 100 };

/**
 * The files `*.instructions.md` of a repository (GitHub Docs, "Adding repository custom
 * instructions for GitHub Copilot"). `applyTo` of their front matter has globs from the root, as a
 * list or separated by commas; a file without it is never activated. `excludeAgent` excludes one
 * from reviews (`code-review`) or from all other runs (`coding-agent`, `cloud-agent`).
 */
export async function scopedInstructions(
  tree: TrustedTree,
  { reviews }: { readonly reviews: boolean },
): Promise<ScopedInstructions[]> {
  const listed = await tree.below(location.folder, location.depth, location.most);
  const paths = listed.map(({ path }) => path).filter((path) => path.endsWith('.instructions.md'));
  if (paths.length === 0) return [];
  const contents = await tree.read(paths);
  return paths.flatMap((ref) => {
    const { fields, body } = frontMatter(contents.get(ref)?.toString('utf8') ?? '');
    const globs = globsOf(fields?.applyTo);
    const excluded = entriesOf(fields?.excludeAgent);
    const here = reviews ? ['code-review'] : ['coding-agent', 'cloud-agent'];
    if (globs.length === 0 || body.trim() === '' || excluded.some((one) => here.includes(one))) return [];
    const always = globs.some((glob) => glob === '**' || glob === '**/*');
    return [{ ref, globs, always, text: body, matches: pathGlobs(globs) }];
  });
}

/** Globs of a list, or of a text with commas between them, braces aside. */
function globsOf(value: unknown): string[] {
  const all = entriesOf(value).map((glob) => glob.replace(/^\.?\//, ''));
  return all.filter((glob) => glob.length <= 200).slice(0, 50);
}

function entriesOf(value: unknown): string[] {
  const given = Array.isArray(value) ? value : [value];
  return given
    .filter((one) => typeof one === 'string')
    .flatMap((one) => one.split(/,(?![^{]*\})/))
    .map((one) => one.trim().replace(/^["']|["']$/g, ''))
    .filter((one) => one !== '');
}
