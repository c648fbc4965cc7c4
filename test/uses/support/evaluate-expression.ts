/** A value of GitHub's expressions (GitHub Docs, "Evaluate expressions in workflows and actions"). */
export type ExpressionValue =
  | null
  | boolean
  | number
  | string
  | readonly ExpressionValue[]
  | { readonly [name: string]: ExpressionValue };

/** The contexts by name, such as `github` and `steps`. */
export type Contexts = Readonly<Record<string, ExpressionValue>>;

const tokenPattern =
  /\s*(?:(?<text>'(?:[^']|'')*')|(?<number>-?\d+(?:\.\d+)?)|(?<name>[A-Za-z_][\w-]*)|(?<sign>&&|\|\||[!=<>]=|[!<>()[\].,]))/y;

/** Puts the values of `${{ }}` into a text. */
export const interpolate = (text: string, contexts: Contexts): string =>
  text.replaceAll(/\$\{\{([\s\S]*?)\}\}/g, (_, expression: string) => asText(evaluate(expression, contexts)));

/**
 * Decides on an `if:`. Without a function of the status it holds only after steps that succeeded, as
 * `failed` says.
 */
export function condition(text: string | undefined, contexts: Contexts, failed: boolean): boolean {
  const expression = (text ?? 'success()').replace(/^\s*\$\{\{([\s\S]*)\}\}\s*$/, '$1');
  const asksStatus = /\b(?:success|failure|always|cancelled)\s*\(/.test(expression);
  const status = { ...contexts, '#failed': failed };
  return (asksStatus || !failed) && isTrue(evaluate(expression, status));
}

/** Evaluates one expression. Throws on syntax and functions that it does not know. */
export function evaluate(expression: string, contexts: Contexts): ExpressionValue {
  const parser = new ExpressionParser(tokensOf(expression), contexts);
  const value = parser.either();
  parser.end();
  return value;
}

interface Token {
  readonly kind: 'text' | 'number' | 'name' | 'sign' | 'end';
  readonly text: string;
}

function tokensOf(expression: string): Token[] {
  const tokens: Token[] = [];
  const pattern = new RegExp(tokenPattern);
  const source = expression.trimEnd();
  while (pattern.lastIndex < source.length) {
    const at = pattern.lastIndex;
    const groups = pattern.exec(source)?.groups ?? {};
    const found = Object.entries(groups).find(([, text]) => text !== undefined);
    if (found === undefined) throw new Error(`no expression: ${source.slice(at)}`);
    tokens.push({ kind: found[0] as Token['kind'], text: found[1] ?? '' });
  }
  return tokens;
}

class ExpressionParser {
  #at = 0;
  readonly #tokens: readonly Token[];
  readonly #contexts: Contexts;

  constructor(tokens: readonly Token[], contexts: Contexts) {
    this.#tokens = tokens;
    this.#contexts = contexts;
  }

  end(): void {
    if (this.#next.kind !== 'end') throw new Error(`unexpected ${this.#next.text}`);
  }

  either(): ExpressionValue {
    let value = this.#both();
    while (this.#take('||')) {
      const other = this.#both();
      value = isTrue(value) ? value : other;
    }
    return value;
  }

  #both(): ExpressionValue {
    let value = this.#comparison();
    while (this.#take('&&')) {
      const other = this.#comparison();
      value = isTrue(value) ? other : value;
    }
    return value;
  }

  #comparison(): ExpressionValue {
    const value = this.#negation();
    const operator = Object.keys(comparisons).find((sign) => this.#take(sign));
    return operator === undefined ? value : (comparisons[operator]?.(value, this.#negation()) ?? null);
  }

  #negation(): ExpressionValue {
    return this.#take('!') ? !isTrue(this.#negation()) : this.#access();
  }

  #access(): ExpressionValue {
    let value = this.#primary();
    for (;;) {
      if (this.#take('.')) value = memberOf(value, this.#shift('name').text);
      else if (this.#take('[')) {
        value = memberOf(value, asText(this.either()));
        this.#expect(']');
      } else return value;
    }
  }

  #primary(): ExpressionValue {
    if (this.#take('(')) {
      const value = this.either();
      this.#expect(')');
      return value;
    }
    const token = this.#shift();
    if (token.kind === 'text') return token.text.slice(1, -1).replaceAll("''", "'");
    if (token.kind === 'number') return Number(token.text);
    if (token.kind !== 'name') throw new Error(`unexpected ${token.text}`);
    if (this.#take('(')) return this.#call(token.text);
    if (Object.hasOwn(constants, token.text)) return constants[token.text] ?? null;
    if (!Object.hasOwn(this.#contexts, token.text)) throw new Error(`no context ${token.text}`);
    return this.#contexts[token.text] ?? null;
  }

  #call(name: string): ExpressionValue {
    const given: ExpressionValue[] = [];
    while (!this.#take(')')) {
      if (given.length > 0) this.#expect(',');
      given.push(this.either());
    }
    const called = functions[name];
    if (called === undefined) throw new Error(`no function ${name}`);
    return called(given, this.#contexts['#failed'] === true);
  }

  get #next(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: 'end' };
  }

  #take(sign: string): boolean {
    const found = this.#next.kind === 'sign' && this.#next.text === sign;
    if (found) this.#at += 1;
    return found;
  }

  #expect(sign: string): void {
    if (!this.#take(sign)) throw new Error(`expected ${sign}, not ${this.#next.text}`);
  }

  #shift(kind?: Token['kind']): Token {
    const token = this.#next;
    if (token.kind === 'end' || (kind !== undefined && token.kind !== kind))
      throw new Error(`unexpected ${token.text}`);
    this.#at += 1;
    return token;
  }
}

const constants: Readonly<Record<string, ExpressionValue>> = { true: true, false: false, null: null };

const isTrue = (value: ExpressionValue): boolean =>
  value !== null && value !== false && value !== '' && value !== 0;

const asText = (value: ExpressionValue): string => {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'Array' : 'Object';
  return value === null ? '' : String(value);
};

/** Two texts compare without regard to case; values of two kinds as numbers. */
function areEqual(one: ExpressionValue, other: ExpressionValue): boolean {
  if (typeof one === 'string' && typeof other === 'string') return one.toLowerCase() === other.toLowerCase();
  if (typeof one === 'object' && typeof other === 'object') return one === other;
  return typeof one === typeof other ? one === other : asNumber(one) === asNumber(other);
}

function asNumber(value: ExpressionValue): number {
  if (typeof value === 'object' && value !== null) return Number.NaN;
  return Number(value ?? 0);
}

const comparisons: Readonly<Record<string, (one: ExpressionValue, other: ExpressionValue) => boolean>> = {
  '==': areEqual,
  '!=': (one, other) => !areEqual(one, other),
  '<=': (one, other) => asNumber(one) <= asNumber(other),
  '>=': (one, other) => asNumber(one) >= asNumber(other),
  '<': (one, other) => asNumber(one) < asNumber(other),
  '>': (one, other) => asNumber(one) > asNumber(other),
};

/** A missing member is null. Names count without regard to case. */
function memberOf(value: ExpressionValue, name: string): ExpressionValue {
  if (typeof value !== 'object' || value === null) return null;
  const found = Object.entries(value).find(([key]) => key.toLowerCase() === name.toLowerCase());
  return found?.[1] ?? null;
}

type Called = (given: readonly ExpressionValue[], failed: boolean) => ExpressionValue;

const functions: Readonly<Record<string, Called>> = {
  contains: ([where = null, what = null]) =>
    Array.isArray(where)
      ? where.some((item) => areEqual(item, what))
      : asText(where).toLowerCase().includes(asText(what).toLowerCase()),
  startsWith: ([text = null, start = null]) =>
    asText(text).toLowerCase().startsWith(asText(start).toLowerCase()),
  format: ([pattern = null, ...values]) =>
    asText(pattern).replaceAll(/\{(\d+)\}/g, (_, index: string) => asText(values[Number(index)] ?? null)),
  fromJSON: ([text = null]) => JSON.parse(asText(text)) as ExpressionValue,
  toJSON: ([value = null]) => JSON.stringify(value, null, 2),
  always: () => true,
  success: (_, failed) => !failed,
  failure: (_, failed) => failed,
  cancelled: () => false,
};
