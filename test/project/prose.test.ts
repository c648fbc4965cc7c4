import { expect, test } from 'vitest';
import { readSource, trackedFiles, withoutComments } from './source-tree.ts';

const files = trackedFiles();
/**
 * The documents that people read. Texts of prompts, golden files (`docs/pull-request.md` quotes what
 * GitHub shows) and the demo's sample have rules of their own.
 */
const documents = files.filter(
  (file) => /^(?:[^/]+|docs\/.+|\.github\/.+)\.md$/.test(file) && file !== 'docs/pull-request.md',
);

const sources = files.filter((file) => /^(?:src|action)\/.*\.ts$/.test(file));

test('the architecture can be read in fifteen minutes', () => {
  const words = readSource('ARCHITECTURE.md').split(/\s+/).filter(Boolean);
  expect(words.length).toBeLessThanOrEqual(3_000);
});

test('a line of a document has at most 100 columns', () => {
  const long = documents.flatMap((file) =>
    proseLines(readSource(file)).flatMap(({ number, line }) =>
      line.length > 100 ? [`${file}:${number}`] : [],
    ),
  );
  expect(documents.length).toBeGreaterThan(20);
  expect(long).toEqual([]);
});

test('a comment begins with a noun or a verb', () => {
  expect(sources.flatMap((file) => relativeOpenings(file, readSource(file)))).toEqual([]);
});

test('a comment has no old-fashioned words', () => {
  const old = /^\s*(?:\/\/|\/?\*).*\b(?:goes on|went on|all else|but for|hears? of|meanwhile|any more)\b/;
  const found = sources.flatMap((file) =>
    readSource(file)
      .split('\n')
      .flatMap((line, at) => (old.test(line) ? [`${file}:${at + 1}`] : [])),
  );
  expect(found).toEqual([]);
});

test('a line of a comment has at most 100 columns', () => {
  const comment = /^\s*(?:\/\/|\/?\*)/;
  const long = sources.flatMap((file) =>
    readSource(file)
      .split('\n')
      .flatMap((line, at) =>
        comment.test(line) && line.length > 100 && !/https:\/\/|biome-ignore/.test(line)
          ? [`${file}:${at + 1}`]
          : [],
      ),
  );
  expect(long).toEqual([]);
});

test('a comment explains only names that its file has', () => {
  expect(sources.flatMap((file) => unknownNames(file, readSource(file)))).toEqual([]);
});

test('a comment refers only to types and functions that exist', () => {
  const known = new Set(sources.flatMap((file) => [...namesIn(readSource(file))]));
  expect(sources.flatMap((file) => missingTypes(file, readSource(file), known))).toEqual([]);
});

test('the prose checks find their own examples', () => {
  const text = ['short', 'x'.repeat(101), '```', 'y'.repeat(101), '```', `| ${'z'.repeat(101)} |`].join('\n');
  expect(proseLines(text).filter(({ line }) => line.length > 100)).toEqual([
    { number: 2, line: 'x'.repeat(101) },
  ]);
  const source = ['/** What it is. */', '// A reason.', '/**', ' * Whether it may.', ' */'].join('\n');
  expect(relativeOpenings('a.ts', source)).toEqual(['a.ts: What it is. */', 'a.ts: Whether it may.']);
  const stale = [
    '/** Cuts a text, as `Cutter` does. `limit` is in bytes; `told`',
    ' * gets each cut. Default: `asked`. `bash` is a tool. Like `look`.',
    ' */',
    'function cut(limit: number): void {}',
    '// A comment is no code: told.',
  ].join('\n');
  expect(unknownNames('a.ts', stale)).toEqual(['a.ts: told', 'a.ts: asked', 'a.ts: look']);
  expect(missingTypes('a.ts', stale, new Set(['limit']))).toEqual(['a.ts: Cutter']);
});

/** Explained names of the configuration, the commands, the tools, protocols and programs. */
const externalNames = new Set(
  'bash batch checks craft createCommitOnBranch cwd databaseId doctor engines fetch fix help initialize local man models more od persist profiles retry sandboxed strict yolo'.split(
    ' ',
  ),
);

/** Types and functions of protocols and of packages, and a language. */
const externalTypes = new Set(
  'ContentBlock DocumentSymbol FileChangeType German GitError GraphQL LocationLink RequestError SymbolInformation SymbolKind WorkspaceSymbol attemptFence databaseId'.split(
    ' ',
  ),
);

/**
 * The names that a comment explains or compares with and that the code of its file lacks, such as
 * "`limit` is …", "Default: `x`", "like `x`". Our names have no underscore. Types may be elsewhere.
 */
function unknownNames(file: string, source: string): string[] {
  const code = namesIn(source);
  const explained =
    /(?:[Ll]ike|as in|else|Default:|synchronous) `([a-z]\w*)`|`([a-z]\w*)`(?=(?: and `\w+`)? (?:is|are|gets?|gives?|returns?|holds?|counts?|says?|in an?|as)\b|:|, the\b)/g;
  return commentsOf(source).flatMap((comment) =>
    [...comment.matchAll(explained)].flatMap(([, compared, subject]) => {
      const name = compared ?? subject ?? '';
      return code.has(name) || name.includes('_') || externalNames.has(name) ? [] : [`${file}: ${name}`];
    }),
  );
}

/** The names in a comment that look like a type or function of ours, but are not `known`. */
function missingTypes(file: string, source: string, known: ReadonlySet<string>): string[] {
  const names = commentsOf(source).flatMap((comment) =>
    [...comment.matchAll(/`([A-Za-z]\w*)(?:\(\))?`/g)].map(([, name = '']) => name),
  );
  return names.flatMap((name) =>
    /[a-z][A-Z]|^[A-Z][a-z]/.test(name) && !known.has(name) && !externalTypes.has(name)
      ? [`${file}: ${name}`]
      : [],
  );
}

/** The comments of a source, each on one line. */
function commentsOf(source: string): string[] {
  const comments = source.match(/\/\*\*[\s\S]*?\*\/|(?:^\s*\/\/.*(?:\n|$))+/gm) ?? [];
  return comments.map((comment) => comment.replaceAll(/\s*\n\s*(?:\*|\/\/)? ?/g, ' '));
}

/** Every name in the code of a source. */
function namesIn(source: string): Set<string> {
  return new Set(withoutComments(source).match(/[A-Za-z_$][\w$]*/g));
}

/** The lines of a document without tables, code and HTML, and without the targets of links. */
function proseLines(text: string): { number: number; line: string }[] {
  let inCode = false;
  return text.split('\n').flatMap((line, at) => {
    const fence = /^\s*(?:```|~~~)/.test(line);
    if (fence) inCode = !inCode;
    if (fence || inCode || /^\s*(?:\||<)/.test(line)) return [];
    const plain = line.replaceAll(/`[^`]+`/g, '``').replaceAll(/\]\([^)]*\)/g, ']()');
    return [{ number: at + 1, line: plain }];
  });
}

/** The comments that begin with a relative or a question word. */
function relativeOpenings(file: string, source: string): string[] {
  const opening =
    /^[ \t]*(?:\/\/ |\/\*\*?(?:[ \t]+|\n[ \t]*\* ))((?:What|Where|How|Whether|Of|So|Those)\b.*)$/gm;
  // The second line of a run of `//` comments goes on with a sentence.
  return [...source.matchAll(opening)].flatMap(({ index, 0: whole, 1: words }) => {
    const before = source.slice(0, index).trimEnd().split('\n').at(-1) ?? '';
    const goesOn =
      /^\s*\/\//.test(whole) && /^\s*\/\//.test(before) && !/\n\s*\n\s*$/.test(source.slice(0, index));
    return goesOn ? [] : [`${file}: ${words}`];
  });
}
