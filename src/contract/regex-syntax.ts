/** A regular expression as a tree that can be matched in linear time. */
export type RegexNode =
  | { readonly kind: 'one'; readonly source: string }
  | { readonly kind: 'assertion'; readonly what: '^' | '$' | '\\b' | '\\B' }
  | { readonly kind: 'sequence'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'either'; readonly options: readonly RegexNode[] }
  | { readonly kind: 'repeat'; readonly body: RegexNode; readonly min: number; readonly max: number | null };

/**
 * A larger expression, counted with all repetitions expanded, is not realistic, and each costs time
 * at every character.
 */
const largestSize = 2_000;

/** Maximum depth of groups: functions on the tree are recursive. */
const deepestGroup = 200;

const beyondLinear = 'it cannot be matched in a time that only grows with the text';

/**
 * The tree of a regular expression of JavaScript (ECMA-262, "Patterns") with the flags `i`, `m`,
 * `s` and `u`. What needs backtracking is refused: a text made for it would hold up a run for
 * hours. Throws `SyntaxError`.
 */
export function parseRegex(source: string, flags: string): RegexNode {
  checkSyntax(source, flags);
  const tree = new RegexReader(source, flags.includes('u')).read();
  if (sizeOf(tree) > largestSize)
    throw new SyntaxError(`it is too large: its repetitions exceed ${largestSize} characters`);
  return tree;
}

/** Input is well-formed after this check, so the reader below does not look for errors. */
function checkSyntax(source: string, flags: string): void {
  try {
    new RegExp(source, flags);
  } catch (cause) {
    // `Invalid regular expression: /[/: Unterminated character class`: who reads it has the pattern
    // already.
    const words = cause instanceof Error ? cause.message.split(': ').at(-1) : undefined;
    throw new SyntaxError(words?.toLowerCase() ?? 'it is not well-formed', { cause });
  }
}

function sizeOf(node: RegexNode): number {
  switch (node.kind) {
    case 'sequence':
      return node.parts.reduce((sum, part) => sum + sizeOf(part), 1);
    case 'either':
      return node.options.reduce((sum, option) => sum + sizeOf(option), 1);
    case 'repeat':
      return 1 + sizeOf(node.body) * Math.max(1, node.max ?? node.min + 1);
    default:
      return 1;
  }
}

class RegexReader {
  readonly #source: string;
  readonly #unicode: boolean;
  #at = 0;
  #depth = 0;

  constructor(source: string, unicode: boolean) {
    this.#source = source;
    this.#unicode = unicode;
  }

  read(): RegexNode {
    const options: RegexNode[] = [this.#sequence()];
    while (this.#take('|') !== null) options.push(this.#sequence());
    const [only] = options;
    return options.length === 1 && only !== undefined ? only : { kind: 'either', options };
  }

  #sequence(): RegexNode {
    const parts: RegexNode[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at] ?? ''))
      parts.push(this.#repeated(this.#term()));
    return { kind: 'sequence', parts };
  }

  #repeated(body: RegexNode): RegexNode {
    const quantifier = this.#match(/(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y);
    if (quantifier === null) return body;
    const [, sign, least, comma, most] = quantifier;
    if (sign !== undefined)
      return { kind: 'repeat', body, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : null };
    const min = Number(least);
    if (comma === undefined) return { kind: 'repeat', body, min, max: min };
    return { kind: 'repeat', body, min, max: most === '' ? null : Number(most) };
  }

  #term(): RegexNode {
    const assertion = this.#match(/[\^$]|\\[bB]/y)?.[0];
    if (assertion !== undefined) return { kind: 'assertion', what: assertion as '^' };
    if (this.#take('(') !== null) {
      this.#openGroup();
      this.#depth += 1;
      if (this.#depth > deepestGroup)
        throw new SyntaxError(`its groups are nested more than ${deepestGroup} deep`);
      const inner = this.read();
      this.#depth -= 1;
      this.#take(')');
      return inner;
    }
    return { kind: 'one', source: this.#character() };
  }

  #openGroup(): void {
    if (this.#match(/\?(?:=|!|<=|<!)/y) !== null)
      throw new SyntaxError(`it uses lookaround, with (?=, (?!, (?<= or (?<!, and ${beyondLinear}`);
    if (this.#match(/\?(?::|<[^>]*>)/y) !== null) return;
    if (this.#match(/\?/y) !== null)
      throw new SyntaxError('it changes its flags inside; write them after its last slash');
  }

  /** The source of one character or class of characters. */
  #character(): string {
    if (this.#match(/\\(?:[1-9]|k)/y) !== null)
      throw new SyntaxError(`it has a backreference, and ${beyondLinear}`);
    if (this.#match(/\\(?:c|0\d)/y) !== null)
      throw new SyntaxError('it names a character by \\c or by an octal number; write \\x and two digits');
    const one = this.#match(
      this.#unicode
        ? /\[(?:\\.|[^\]\\])*\]|\\u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|\\u\{[^}]*\}|\\[pP]\{[^}]*\}|\\u\w{4}|\\x\w\w|\\.|./suy
        : /\[(?:\\.|[^\]\\])*\]|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\.|./sy,
    );
    return one?.[0] ?? '';
  }

  #take(text: string): string | null {
    if (!this.#source.startsWith(text, this.#at)) return null;
    this.#at += text.length;
    return text;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }
}
