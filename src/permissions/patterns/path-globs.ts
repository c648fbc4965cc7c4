import { globMatches } from './glob-matches.ts';

/** So many ways to write a glob with braces out are compared; what stands for more means nothing. */
const mostForms = 100;

/**
 * Tests paths from a root against globs, dot files being files like others: `**` stands for any folders, `*` and `?` for what a name
 * has, `[a-z]` for one character, `{a,b}` for either. A regular expression, as other matchers make of a glob, tries every way to
 * share a path out among the stars, and whoever owns a repository could hold up a whole server by it; this takes time that grows with
 * the path alone.
 */
export function pathGlobs(globs: readonly string[]): (path: string) => boolean {
  const forms = globs.flatMap(withoutBraces).map((glob) => glob.split('/').map(nameTest));
  return (path) => {
    const names = path.split('/');
    return forms.some((form) => fits(form, names));
  };
}

/** A test for one name; null for `**`. */
type NameTest = ((name: string) => boolean) | null;

function nameTest(part: string): NameTest {
  if (part === '**') return null;
  if (!part.includes('[')) return (name) => globMatches(part, name);
  const pieces = part.match(/\[[!^]?\]?[^\]]*\]|[\s\S]/g) ?? [];
  const glob = pieces.map((piece) => (piece.length === 1 ? piece : setTest(piece)));
  return (name) => globMatches(glob, name);
}

/** A set such as `[a-z]` or `[!0-9]` as a regular expression; one with a range that goes backwards holds nothing. */
function setTest(set: string): RegExp {
  const negated = /^\[[!^]/.test(set);
  const held = set.slice(negated ? 2 : 1, -1).replace(/[\\\]^[]/g, '\\$&');
  try {
    return new RegExp(`^[${negated ? '^' : ''}${held}]$`);
  } catch {
    return /^(?!)/;
  }
}

/** As `globMatches` does with letters: one `**` is enough to go back to. */
function fits(form: readonly NameTest[], names: readonly string[]): boolean {
  let [at, place] = [0, 0];
  let [starAt, starPlace] = [-1, -1];
  while (at < names.length) {
    const test = form[place];
    if (test === null) {
      [starAt, starPlace] = [at, place];
      place++;
    } else if (test?.(names[at] ?? '') === true) {
      at++;
      place++;
    } else if (starPlace >= 0) {
      starAt++;
      at = starAt;
      place = starPlace + 1;
    } else return false;
  }
  while (form[place] === null) place++;
  return place === form.length;
}

/** All that a glob with braces stands for; none where that is too much. */
function withoutBraces(glob: string): string[] {
  const done: string[] = [];
  const open = [glob];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const [whole, inner] = /\{([^{}]*,[^{}]*)\}/.exec(one) ?? [];
    if (whole === undefined || inner === undefined) done.push(one);
    else for (const choice of inner.split(',')) open.push(one.replace(whole, () => choice));
    if (done.length + open.length > mostForms) return [];
  }
  return done;
}
