/** The style of a repository's commit subjects, learned from its history. */
export interface CommitStyle {
  /** The prefix: none, `fix(cli): `, `net/http: `, `PROJ-12: `, or `[Fix] `. */
  readonly form: 'plain' | 'conventional' | 'area' | 'ticket' | 'tag';
  /** The gitmoji that opens the subject, and how it is written. */
  readonly emoji: 'none' | 'character' | 'shortcode';
  /** Types of Conventional Commits, or tags in brackets, in use, the most frequent first. */
  readonly types: readonly string[];
  /** Scopes or areas in use, the most frequent first. */
  readonly areas: readonly string[];
  /** Keys of trackers in use, such as `PROJ`. */
  readonly ticketKeys: readonly string[];
  /** The form of a ticket or a tag, with `%` for its name: `[%] `. '' for other prefixes. */
  readonly prefixForm: string;
  /** True if the text begins with a capital. */
  readonly capital: boolean;
  /** True if the text ends with a full stop. */
  readonly stop: boolean;
  /** The most characters of a subject: 72, or fewer by the repository's lint rules. */
  readonly length: number;
}

/** The types of `@commitlint/config-conventional`. */
export const conventionalTypes: readonly string[] = [
  'fix',
  'feat',
  'docs',
  'test',
  'refactor',
  'perf',
  'build',
  'ci',
  'chore',
  'style',
  'revert',
];

/** Characters of a subject that GitHub displays before it folds it. */
const displayLength = 72;

/** For a history that is too short to have a style. */
export const plainStyle: CommitStyle = {
  form: 'plain',
  emoji: 'none',
  types: [],
  areas: [],
  ticketKeys: [],
  prefixForm: '',
  capital: true,
  stop: false,
  length: displayLength,
};

/** Conventional Commits 1.0.0. A prefix that is none of the usual types is an area. */
const conventional = /^([a-z]{2,12})(?:\(([\w@./-]{1,40})\))?!?: +(?=\S)/iu;
/** The path of an area. */
export const area = /^((?:[\w.*{},-]+\/)*[\w.*{},-]+): +(?=\S)/u;
/** The name of a ticket: its key is the second group. */
export const ticket = /^(\[?)([A-Z][A-Z0-9]{1,14})-\d+(\]?)(:| -)? +(?=\S)/u;
/** A tag in brackets, such as `[Dev Deps] `. */
export const tag = /^\[(\p{L}[\p{L}\d +/&_-]{0,29})\](:?) +(?=\S)/u;
const emoji =
  /^(?:(:[a-z0-9_+-]+:)|(\p{Extended_Pictographic}(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f)*)) *(?=\S)/u;
const usualTypes = new Set(
  'feat feature fix bugfix docs doc style refactor perf test tests build ci chore revert deps release'.split(
    ' ',
  ),
);

/** Written by programs, or by git itself: they follow a style of their own. */
const automatic =
  /^(?:Merge |Revert "|Reapply "|(?:\w+(?:\([^)]*\))?: )?(?:bump|update dependency|lock file|pin dependencies|release)(?: |$)|v?\d+\.\d+)/iu;

/**
 * Learns the style of a history from its newest subjects, one per line. What half of them do is the
 * style. Fewer than five subjects by people give `plainStyle`.
 */
export function learnCommitStyle(subjects: readonly string[]): CommitStyle {
  const all = subjects.map((subject) => subject.trim().replace(/ \(#\d+\)(?=\.?$)/u, ''));
  const marked = all.map((subject) => ({ mark: emoji.exec(subject), rest: subject.replace(emoji, '') }));
  const byPeople = marked.filter(({ rest }) => rest !== '' && !automatic.test(rest));
  if (byPeople.length < 5) return plainStyle;
  const marks = byPeople.flatMap(({ mark }) => (mark === null ? [] : [mark]));
  const shortcodes = marks.filter((mark) => mark[1] !== undefined).length;
  const form = shortcodes * 2 > marks.length ? 'shortcode' : 'character';
  const most = (count: number) => count * 2 >= byPeople.length;
  const rests = byPeople.map(({ rest }) => rest);
  const prefix = prefixOf(rests, most);
  const texts = rests.map((rest) => (prefix.pattern === null ? rest : rest.replace(prefix.pattern, '')));
  // A prefix that is not the style, such as `docs: `, says nothing about the case of a text.
  const letters = texts.filter(
    (text) => /^\p{L}/u.test(text) && !conventional.test(text) && !area.test(text),
  );
  return {
    ...plainStyle,
    ...prefix.style,
    emoji: most(marks.length) ? form : 'none',
    capital: letters.filter((text) => /^\p{Lu}/u.test(text)).length * 2 >= letters.length,
    stop: most(texts.filter((text) => /[^.]\.$/u.test(text)).length),
  };
}

interface Prefix {
  readonly pattern: RegExp | null;
  readonly style: Partial<CommitStyle>;
}

function prefixOf(subjects: readonly string[], most: (count: number) => boolean): Prefix {
  const tickets = matchesOf(subjects, ticket);
  if (most(tickets.length)) {
    const [open, close, colon] = [1, 3, 4].map(
      (group) => byCount(tickets.map((found) => found[group] ?? ''))[0],
    );
    const ticketKeys = byCount(tickets.flatMap((found) => found[2] ?? []));
    return {
      pattern: ticket,
      style: { form: 'ticket', ticketKeys, prefixForm: `${open}%${close}${colon} ` },
    };
  }
  const tags = matchesOf(subjects, tag);
  if (most(tags.length)) {
    const [colon = ''] = byCount(tags.map((found) => found[2] ?? ''));
    const types = byCount(tags.flatMap((found) => found[1] ?? []));
    return { pattern: tag, style: { form: 'tag', types, prefixForm: `[%]${colon} ` } };
  }
  const typed = matchesOf(subjects, conventional).filter((found) =>
    usualTypes.has((found[1] ?? '').toLowerCase()),
  );
  if (most(typed.length)) {
    const scopes = typed.flatMap((found) => found[2] ?? []);
    return {
      pattern: conventional,
      style: {
        form: 'conventional',
        types: byCount(typed.flatMap((found) => found[1] ?? [])),
        // A scope that one in four has is the exception.
        areas: scopes.length * 3 >= typed.length ? byCount(scopes) : [],
      },
    };
  }
  const areas = matchesOf(subjects, area);
  if (!most(areas.length)) return { pattern: null, style: {} };
  return { pattern: area, style: { form: 'area', areas: byCount(areas.flatMap((found) => found[1] ?? [])) } };
}

function matchesOf(subjects: readonly string[], pattern: RegExp): RegExpExecArray[] {
  return subjects.map((subject) => pattern.exec(subject)).filter((found) => found !== null);
}

/** Each value once, the most frequent first. */
function byCount(values: readonly string[]): string[] {
  const groups = Map.groupBy(values, (value) => value);
  return [...groups].sort(([, a], [, b]) => b.length - a.length).map(([value]) => value);
}

/**
 * Describes a style for the model that words the headline; '' for a plain one. A ticket, an area
 * and an emoji are added later.
 */
export function describeCommitStyle(style: CommitStyle): string {
  const added = {
    plain: [],
    conventional: [],
    tag: [],
    area: ['the area before the text'],
    ticket: ['the ticket before the text'],
  }[style.form];
  const marks = [...added, ...(style.emoji === 'none' ? [] : ['its emoji'])];
  const note = marks.length === 0 ? '' : ` Leave out ${marks.join(' and ')}: it is added for you.`;
  if (style.form === 'tag')
    return `The commit headline begins with a tag of this repository's history: ${style.prefixForm.replace('%', 'tag')}text. Tags: ${style.types.slice(0, 20).join(', ')}.${note}`;
  if (style.form !== 'conventional')
    return note === '' ? '' : `The commit headline follows this repository's history.${note}`;
  const types = style.types.length === 0 ? conventionalTypes : style.types;
  const scopes = style.areas.slice(0, 20);
  return [
    `The commit headline follows Conventional Commits: type(scope): text. Types: ${types.slice(0, 20).join(', ')}.`,
    scopes.length === 0 ? 'Without a scope.' : `Scopes: ${scopes.join(', ')}; none if no one fits.`,
    `At most ${style.length} characters, the text in ${style.capital ? 'upper' : 'lower'} case first.`,
    `The type says what the change does: what mends a bug is a fix.${note}`,
  ].join(' ');
}
