/** Something to go wrong on purpose. */
export interface Fault {
  /** Any method or path where left out; the path is as in the log, `/graphql` for GraphQL. */
  readonly method?: string;
  readonly path?: RegExp;
  /**
   * Meets only a request whose text, as it is sent, holds this. Names what a fault is meant for: by method and path alone the
   * report of a run and an edit of its progress are the same request.
   */
  readonly body?: RegExp;
  /** The status to answer, or to drop the connection (as when neither is said). */
  readonly status?: number | 'reset';
  /** Does what was asked before it goes wrong: the client cannot know that it happened. */
  readonly after?: boolean;
  /** The number of requests that it meets. Default: 1. */
  readonly times?: number;
  readonly message?: string;
  /** Answered as JSON with `status`, which may be 200 then, in place of the `message`. */
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Faults {
  readonly failNext: (fault: Fault) => void;
  /** The fault that meets this request, used up by one; undefined where there is none. `text` is its body, '' where it has none. */
  readonly take: (method: string, path: string, text: string) => Fault | undefined;
}

/** Makes a list of faults, empty at first. */
export function createFaults(): Faults {
  const waiting: { readonly fault: Fault; left: number }[] = [];
  return {
    failNext: (fault) => waiting.push({ fault, left: fault.times ?? 1 }),
    take: (method, path, text) => {
      const found = waiting.find(
        ({ fault, left }) =>
          left > 0 &&
          (fault.method === undefined || fault.method.toUpperCase() === method) &&
          (fault.path === undefined || fault.path.test(path)) &&
          (fault.body === undefined || fault.body.test(text)),
      );
      if (found !== undefined) found.left -= 1;
      return found?.fault;
    },
  };
}
