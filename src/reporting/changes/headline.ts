import { publicBehind } from '../text/public-text.ts';
import { area, type CommitStyle, conventionalTypes, tag, ticket } from './commit-style.ts';

/** The text of a headline and the facts that style it. */
export interface Headline {
  /** Plain text on one line, safe to display. */
  readonly text: string;
  /** Paths that changed. */
  readonly files: readonly string[];
  /** True where an issue was implemented. */
  readonly implements: boolean;
  /** Texts that may name the ticket of a tracker: the thread's title first, the branch. */
  readonly sources: readonly string[];
}

/** Alternative names of a type in a repository. The first one in use is taken. */
const typeAliases: Readonly<Record<WorkType, readonly string[]>> = {
  feat: ['feature'],
  fix: ['bugfix'],
  docs: ['doc'],
  refactor: [],
  perf: ['fix'],
  test: ['tests'],
  build: ['deps', 'chore'],
  ci: ['build'],
  revert: ['fix'],
  chore: ['build', 'refactor', 'fix'],
};

/** The gitmoji of a type (gitmoji.dev): the character, and the code for it. */
const emojis: Readonly<Record<WorkType, readonly [character: string, code: string]>> = {
  feat: ['✨', ':sparkles:'],
  fix: ['🐛', ':bug:'],
  docs: ['📝', ':memo:'],
  refactor: ['♻️', ':recycle:'],
  perf: ['⚡️', ':zap:'],
  test: ['✅', ':white_check_mark:'],
  build: ['📦️', ':package:'],
  ci: ['👷', ':construction_worker:'],
  revert: ['⏪️', ':rewind:'],
  chore: ['🔧', ':wrench:'],
};

/** A gitmoji that a text begins with already. */
const leadingEmoji =
  /^(?::[a-z0-9_+-]+:|\p{Extended_Pictographic}(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f)*) *(?=\S)/u;

const typed = /^([a-z]{2,12})(\([\w@./-]{1,40}\))?(!?): +(?=\S)/iu;

/**
 * Returns a headline in the repository's style and length. A prefix and an emoji that fit the style
 * stay as they are. Others are replaced, or removed if the style has none.
 */
export function styleHeadline(headline: Headline, style: CommitStyle): string {
  const unmarked = headline.text.replace(leadingEmoji, '');
  const stated = statedType(unmarked);
  const own = ownPrefix(unmarked, headline, style);
  const untyped = stated === null ? unmarked : unmarked.replace(typed, '');
  const bare = own === null ? untyped : unmarked.slice(own.length);
  const type = typeOf(stated, untyped, headline);
  const emoji = ownEmoji(headline.text, style) ?? emojiOf(type, style);
  const prefix = `${emoji}${own?.prefix ?? prefixOf(headline, type, style)}`;
  const first = bare.charAt(0);
  // A name such as `npm` or `GraphQL` keeps its letters, and so does an area: `parser: …`.
  const named = /^\S*[\p{Ll}\d]\p{Lu}|^\p{Lu}{2}|^\S*[._/()`]\S|^[\p{Ll}\d_-]+: /u.test(bare);
  const cased = style.capital ? first.toUpperCase() : first.toLowerCase();
  const text = publicBehind(prefix, `${named ? first : cased}${bare.slice(1)}`).replace(/[.:]+$/u, '');
  const cut = wholeWords(text, style.length - prefix.length - (style.stop ? 1 : 0));
  return `${prefix}${cut}${style.stop && !cut.endsWith('…') ? '.' : ''}`;
}

/** Returns the emoji that a text begins with, with its space, if the style has such. */
function ownEmoji(text: string, { emoji }: CommitStyle): string | null {
  const [mark = ''] = leadingEmoji.exec(text) ?? [];
  if (mark === '' || emoji === 'none') return null;
  return mark.startsWith(':') === (emoji === 'shortcode') ? `${mark.trimEnd()} ` : null;
}

/** A prefix that fits the style, and how many characters of the text it takes. */
interface OwnPrefix {
  readonly prefix: string;
  readonly length: number;
}

/** Returns the prefix that a text without emoji begins with, if it fits the style; else null. */
function ownPrefix(text: string, headline: Headline, style: CommitStyle): OwnPrefix | null {
  switch (style.form) {
    case 'plain':
      return null;
    case 'conventional':
      return ownType(text, headline, style);
    case 'ticket': {
      const [whole = '', , key = ''] = ticket.exec(text) ?? [];
      return style.ticketKeys.includes(key) ? { prefix: whole, length: whole.length } : null;
    }
    case 'area': {
      const [whole = '', name = ''] = area.exec(text) ?? [];
      const isKnown = style.areas.includes(name) || areaOf(headline.files, [name]) !== null;
      return whole !== '' && isKnown ? { prefix: whole, length: whole.length } : null;
    }
    case 'tag': {
      const [whole = '', name = ''] = tag.exec(text) ?? [];
      const used = style.types.find((one) => one.toLowerCase() === name.toLowerCase());
      return used === undefined
        ? null
        : { prefix: style.prefixForm.replace('%', used), length: whole.length };
    }
  }
}

/** The same for `fix(cli)!: `. A scope that is not in use gives way to the one of the files. */
function ownType(text: string, headline: Headline, style: CommitStyle): OwnPrefix | null {
  const [whole = '', name = '', scope = '', breaking = ''] = typed.exec(text) ?? [];
  const types = style.types.length === 0 ? conventionalTypes : style.types;
  const used = types.find((type) => type.toLowerCase() === name.toLowerCase());
  if (used === undefined) return null;
  if (statedType(text) === 'feat' && reportsBug(headline.sources[0] ?? '')) return null;
  // The text has lost the sign of a mention.
  const bare = (one: string) => one.replace(/^@/u, '');
  const stated = style.areas.find((one) => bare(one) === bare(scope.slice(1, -1)));
  const shown = stated ?? areaOf(headline.files, style.areas);
  return { prefix: `${used}${shown === null ? '' : `(${shown})`}${breaking}: `, length: whole.length };
}

/** Cuts a text that is too long between words; one that begins with a longer word stays whole. */
function wholeWords(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = text.lastIndexOf(' ', length - 1);
  return end < 1 ? text : `${text.slice(0, end).replace(/[\s,;:.–-]+$/u, '')}…`;
}

/**
 * Returns the type of a change. What an issue is reported as counts more than the words of the
 * headline: adding a check for a bug is a fix.
 */
function typeOf(
  stated: WorkType | null,
  bare: string,
  { files, implements: isNew, sources }: Headline,
): WorkType {
  const type = stated ?? workTypeOf(bare, files, isNew ? 'feat' : 'chore');
  return type === 'feat' && reportsBug(sources[0] ?? '') ? 'fix' : type;
}

/** A label that a title begins with: `[BUG]`, `[Feature request]:`, `Bug report:`. */
const titleTag =
  /^\s*(?:\[([^\]]{1,30})\]:?|((?:bug|feature|docs?|documentation|enhancement|question)(?: report| request)?):)\s*(?=\S)/iu;

/** True for the title of an issue that is tagged as a bug. */
function reportsBug(title: string): boolean {
  const tag = titleTag.exec(title);
  return /\b(?:bug|defect|regression|crash)\b/iu.test(`${tag?.[1] ?? ''} ${tag?.[2] ?? ''}`);
}

/** Returns a title without the labels that it begins with. */
export function withoutTag(title: string): string {
  let text = title;
  while (titleTag.test(text)) text = text.replace(titleTag, '');
  return text;
}

/** Returns the type that the text states itself, as `fix(cli): …` does. */
function statedType(text: string): WorkType | null {
  const stated = typed.exec(text)?.[1]?.toLowerCase();
  return (
    workTypes.find((type) => type === stated || `${type}ure` === stated || `${type}s` === stated) ?? null
  );
}

function emojiOf(type: WorkType, { emoji }: CommitStyle): string {
  if (emoji === 'none') return '';
  return `${emojis[type][emoji === 'character' ? 0 : 1]} `;
}

function prefixOf(headline: Headline, type: WorkType, style: CommitStyle): string {
  switch (style.form) {
    case 'plain':
      return '';
    case 'ticket': {
      const key = ticketIn(headline.sources, style.ticketKeys);
      return key === null ? '' : style.prefixForm.replace('%', key);
    }
    case 'tag': {
      const name = tagOf(type, style.types);
      return name === null ? '' : style.prefixForm.replace('%', name);
    }
    case 'area': {
      const area = areaOf(headline.files, style.areas);
      return area === null ? '' : `${area}: `;
    }
    case 'conventional': {
      const name = [type, ...typeAliases[type]].find((one) => style.types.includes(one)) ?? type;
      const own = typed.exec(headline.text.replace(leadingEmoji, ''))?.[2]?.slice(1, -1) ?? '';
      const scope = style.areas.includes(own) ? own : areaOf(headline.files, style.areas);
      return scope === null ? `${name}: ` : `${name}(${scope}): `;
    }
  }
}

/** Tags of a type in brackets, besides the names of the type. */
const moreTags: Partial<Record<WorkType, readonly string[]>> = {
  feat: ['new', 'add', 'added', 'enhancement'],
  fix: ['bug', 'fixed'],
  build: ['dependencies', 'dev deps'],
  docs: ['readme', 'documentation'],
  ci: ['actions'],
  perf: ['performance'],
  chore: ['meta', 'misc'],
};

/** Returns the tag of a type that is in use; null for none. */
function tagOf(type: WorkType, used: readonly string[]): string | null {
  // A fix is no tag for any other change.
  const aliases = typeAliases[type].filter((name) => name !== 'fix');
  const names: readonly string[] = [type, ...aliases, ...(moreTags[type] ?? [])];
  const found = names.map((name) => used.find((one) => one.toLowerCase() === name));
  return found.find((one) => one !== undefined) ?? null;
}

function ticketIn(sources: readonly string[], keys: readonly string[]): string | null {
  for (const source of sources) {
    const found = source.match(/\b[A-Z][A-Z0-9]{1,14}-\d+\b/gu) ?? [];
    const own = found.find((ticket) => keys.includes(ticket.slice(0, ticket.lastIndexOf('-'))));
    if (own !== undefined) return own;
  }
  return null;
}

const longestArea = 30;

/**
 * Returns the longest known area that is part of every path except of tests and documents.
 * `@angular/build` is part of `packages/angular/build/src/a.ts`, `cli` of `src/cli.ts`.
 */
function areaOf(files: readonly string[], areas: readonly string[]): string | null {
  const code = files.filter((file) => !/(?:^|\/)(?:tests?|docs?)\/|\.md$/iu.test(file));
  const paths = (code.length > 0 ? code : files).map((file) => `/${file.replace(/\.[^./]+$/u, '')}/`);
  if (paths.length === 0) return null;
  const fitting = areas.filter((area) => {
    const part = `/${area.replace(/^@/u, '')}/`;
    return area.length <= longestArea && paths.every((path) => path.includes(part));
  });
  return fitting.toSorted((a, b) => b.length - a.length)[0] ?? null;
}

/** The types of Conventional Commits. */
const workTypes = [
  'feat',
  'fix',
  'docs',
  'refactor',
  'perf',
  'test',
  'build',
  'ci',
  'revert',
  'chore',
] as const;
type WorkType = (typeof workTypes)[number];

/** Types that follow from the files. The first row that matches all files wins. */
const byFiles: readonly (readonly [RegExp, WorkType])[] = [
  [
    /(?:^|\/)(?:docs?|documentation)\/|\.(?:md|mdx|rst|adoc)$|(?<!(?:^|\/)(?:cmakelists|requirements[\w-]*))\.txt$/iu,
    'docs',
  ],
  [/(?:^|\/)(?:tests?|__tests__|specs?|testdata|fixtures)\/|(?:[._-](?:test|spec)|_test)\.\w+$/iu, 'test'],
  [/^\.github\/|(?:^|\/)(?:\.gitlab-ci\.yml|\.travis\.yml|jenkinsfile|azure-pipelines\.yml)$/iu, 'ci'],
  [
    /(?:^|\/)(?:package(?:-lock)?\.json|pnpm-lock\.yaml|yarn\.lock|cargo\.(?:toml|lock)|go\.(?:mod|sum)|pom\.xml|build\.gradle(?:\.kts)?|makefile|dockerfile|cmakelists\.txt|pyproject\.toml|requirements[\w-]*\.txt|gemfile(?:\.lock)?)$/iu,
    'build',
  ],
];

/** Types by the first word, in any of its usual forms. */
const byVerb: readonly (readonly [RegExp, WorkType])[] = [
  [/^revert/iu, 'revert'],
  [/^(?:add|test|cover)\w*\b.*\b(?:tests?|specs?|coverage)\b/iu, 'test'],
  [/^(?:document|explain|describe)|\b(?:readme|changelog|docstrings?|typos?)\b/iu, 'docs'],
  [
    /^(?:fix|correct|repair|resolve|prevent|avoid|handle|stop|guard|restore|keep|do not|don't|reject|escape)|\b(?:bug|crash|regression|off[- ]by[- ]one)\b/iu,
    'fix',
  ],
  [/^(?:speed|cache|optimi[sz]e|reduce)|\b(?:faster|performance|slow)\b/iu, 'perf'],
  [
    /^(?:refactor|rename|extract|simplify|move|split|inline|clean|reorgani[sz]e|restructure|deduplicate)/iu,
    'refactor',
  ],
  [/^(?:upgrade|bump|pin|update) .*\b(?:dependenc|version|to v?\d)/iu, 'build'],
  [/^(?:add|allow|implement|introduce|support|let|enable|make|create|provide|accept|show|offer)/iu, 'feat'],
];

/** Returns the type of a change, from its files and its text. Default: `fallback`. */
export function workTypeOf(text: string, files: readonly string[], fallback: 'feat' | 'chore'): WorkType {
  const all = byFiles.find(([pattern]) => files.length > 0 && files.every((file) => pattern.test(file)));
  if (all !== undefined) return all[1];
  return byVerb.find(([pattern]) => pattern.test(text.trim()))?.[1] ?? fallback;
}
