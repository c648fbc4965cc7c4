/** Something to go wrong on purpose. */
export interface Fault {
  /** Any method or path by default; the path is as in the log, `/graphql` for GraphQL. */
  readonly method?: string;
  readonly path?: RegExp;
  /**
   * Matches only a request that contains this text, as sent. Identifies the target of a fault: by
   * method and path alone, the report of a run and an edit of its progress are the same request.
   */
  readonly body?: RegExp;
  /** The status to answer; default: the connection is dropped. */
  readonly status?: number | 'reset';
  /** Performs the request before the failure: the client cannot know that it happened. */
  readonly after?: boolean;
  /** The number of requests that it meets. Default: 1. */
  readonly times?: number;
  readonly message?: string;
  /** Answered as JSON with `status`, which may then be 200, instead of the `message`. */
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Faults {
  readonly failNext: (fault: Fault) => void;
  /**
   * The fault that matches this request, used once; undefined if there is none. `text` is its body,
   * '' where it has none.
   */
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
