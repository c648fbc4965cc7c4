import { Lexer, type Token, Tokenizer, type Tokens } from 'marked';

/**
 * Maximum characters read for each character of the text. Ordinary text takes a small part of it.
 */
const workPerCharacter = 100;

/**
 * Quotes and lists within each other: marked calls itself for each, and the stack has room for some
 * thousand.
 */
const mostNested = 200;

/** A text that takes more work than its length allows. */
class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork';
}

/**
 * marked's tokenizer with a bound. Constructs that may scan the rest of a paragraph for their end,
 * and parse their content again, count that rest as work. Nested emphasis costs marked cubic time.
 */
class BoundedTokenizer extends Tokenizer {
  #left: number;
  #depth = 0;

  constructor(work: number) {
    super();
    this.#left = work;
  }

  #spend(text: string, begins: string): void {
    if (!begins.includes(text.charAt(0))) return;
    this.#left -= text.length;
    if (this.#left < 0) throw new TooMuchWork('The Markdown takes more work than its length allows.');
  }

  #inside<Result>(read: () => Result): Result {
    this.#depth += 1;
    if (this.#depth > mostNested) throw new TooMuchWork('The Markdown is nested too deep.');
    const result = read();
    this.#depth -= 1;
    return result;
  }

  override blockquote(src: string): Tokens.Blockquote | undefined {
    return this.#inside(() => super.blockquote(src));
  }

  override list(src: string): Tokens.List | undefined {
    return this.#inside(() => super.list(src));
  }

  override emStrong(src: string, masked: string, before?: string): Tokens.Em | Tokens.Strong | undefined {
    this.#spend(src, '*_');
    return super.emStrong(src, masked, before);
  }

  override del(src: string, masked: string, before?: string): Tokens.Del | undefined {
    this.#spend(src, '~');
    return super.del(src, masked, before);
  }

  override escape(src: string): Tokens.Escape | undefined {
    this.#spend(src, '\\');
    return super.escape(src);
  }

  override link(src: string): Tokens.Link | Tokens.Image | undefined {
    this.#spend(src, '[!');
    return super.link(src);
  }

  override reflink(
    src: string,
    links: Parameters<Tokenizer['reflink']>[1],
  ): ReturnType<Tokenizer['reflink']> {
    this.#spend(src, '[!');
    return super.reflink(src, links);
  }

  override codespan(src: string): Tokens.Codespan | undefined {
    this.#spend(src, '`');
    return super.codespan(src);
  }

  override tag(src: string): Tokens.Tag | undefined {
    this.#spend(src, '<');
    return super.tag(src);
  }
}

/**
 * GitHub Flavored Markdown as tokens of marked; null for a text that costs the parser more than its
 * length permits, or with extreme nesting. The caller bounds its length.
 */
export function readMarkdown(text: string): Token[] | null {
  try {
    return new Lexer({ gfm: true, tokenizer: new BoundedTokenizer(workPerCharacter * text.length) }).lex(
      text,
    );
  } catch (error) {
    if (error instanceof TooMuchWork) return null;
    throw error;
  }
}
