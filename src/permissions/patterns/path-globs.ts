import { globMatches, sequenceMatches } from './match-globs.ts';

/** Maximum forms of one glob with braces. A glob with more matches nothing. */
const maxForms = 100;

/**
 * Makes a test for paths from a root; dot files match like others. `**` stands for any folders,
 * `*` and `?` for parts of a name, `[a-z]` for one character, `{a,b}` for either.
 *
 * The time grows with the path alone. Globs compiled to regular expressions would let a
 * repository's owner stall a server.
 */
export function pathGlobs(globs: readonly string[]): (path: string) => boolean {
  // Parsed with the first path: a run has hundreds of globs, and most never meet one.
  let forms: NameTest[][] | undefined;
  return (path) => {
    const names = path.split('/');
    forms ??= globs.flatMap(withoutBraces).map((glob) => glob.split('/').map(nameTest));
    return forms.some((form) => sequenceMatches(form, names, null, (test, name) => test?.(name) === true));
  };
}

/** A test for one name; null for `**`. */
type NameTest = ((name: string) => boolean) | null;

function nameTest(part: string): NameTest {
  if (part === '**') return null;
  if (!/[*?[]/.test(part)) return (name) => name === part;
  if (!part.includes('[')) return (name) => globMatches(part, name);
  const pieces = part.match(/\[[!^]?\]?[^\]]*\]|[\s\S]/g) ?? [];
  const glob = pieces.map((piece) => (piece.length === 1 ? piece : setTest(piece)));
  return (name) => globMatches(glob, name);
}

/** Compiles a set such as `[a-z]` or `[!0-9]`. A set with a reversed range matches nothing. */
function setTest(set: string): RegExp {
  const negated = /^\[[!^]/.test(set);
  const members = set.slice(negated ? 2 : 1, -1).replace(/[\\\]^[]/g, '\\$&');
  try {
    return new RegExp(`^[${negated ? '^' : ''}${members}]$`);
  } catch {
    return /^(?!)/;
  }
}

/** Returns all forms of a glob with braces; none if there are too many. */
function withoutBraces(glob: string): string[] {
  const done: string[] = [];
  const open = [glob];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const [whole, inner] = /\{([^{}]*,[^{}]*)\}/.exec(one) ?? [];
    if (whole === undefined || inner === undefined) done.push(one);
    else for (const choice of inner.split(',')) open.push(one.replace(whole, () => choice));
    if (done.length + open.length > maxForms) return [];
  }
  return done;
}
