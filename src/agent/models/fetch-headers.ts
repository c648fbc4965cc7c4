/**
 * The `Headers` class of the Fetch standard, without what a browser adds. Node's own class loads
 * its whole fetch library, which is half of the code loaded at a start.
 */
export class FetchHeaders implements Headers {
  /** Values by lower-case name, in the order they came. */
  readonly #values = new Map<string, string[]>();

  /** Throws `TypeError` for a name or value that no header can have. */
  constructor(init?: RequestInit['headers']) {
    const pairs = init !== undefined && Symbol.iterator in init ? init : Object.entries(init ?? {});
    for (const [name, value] of pairs) this.append(`${name}`, `${value}`);
  }

  append(name: string, value: string): void {
    const key = validName(name);
    this.#values.set(key, [...(this.#values.get(key) ?? []), validValue(value)]);
  }

  set(name: string, value: string): void {
    this.#values.set(validName(name), [validValue(value)]);
  }

  delete(name: string): void {
    this.#values.delete(validName(name));
  }

  get(name: string): string | null {
    return this.#values.get(validName(name))?.join(', ') ?? null;
  }

  getSetCookie(): string[] {
    return [...(this.#values.get('set-cookie') ?? [])];
  }

  has(name: string): boolean {
    return this.#values.has(validName(name));
  }

  forEach(callback: (value: string, name: string, parent: Headers) => void, self?: unknown): void {
    for (const [name, value] of this) callback.call(self, value, name, this);
  }

  *entries(): IterableIterator<[string, string]> {
    for (const name of [...this.#values.keys()].sort()) {
      const values = this.#values.get(name) ?? [];
      // Cookies contain commas, so they are not joined.
      if (name === 'set-cookie') for (const value of values) yield [name, value];
      else yield [name, values.join(', ')];
    }
  }

  *keys(): IterableIterator<string> {
    for (const [name] of this) yield name;
  }

  *values(): IterableIterator<string> {
    for (const [, value] of this) yield value;
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
}

/** A name in lower case; a token by RFC 9110, section 5.6.2. */
function validName(name: string): string {
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name))
    throw new TypeError(`no header is called ${JSON.stringify(name)}`);
  return name.toLowerCase();
}

/** A value without white space around it. An invalid value is not displayed: it may be a key. */
function validValue(value: string): string {
  const trimmed = value.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
  if (/[\0\n\r]|[^\0-\xff]/.test(trimmed)) throw new TypeError('a header holds a character that none can');
  return trimmed;
}
