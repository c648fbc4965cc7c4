/** One request that the stand-in answered. `status` 0 means the connection was dropped on purpose. */
export interface LoggedRequest {
  readonly kind: 'rest' | 'graphql' | 'git' | 'page' | 'upload' | 'artifact';
  readonly method: string;
  /** Decoded, without `/api/v3`. */
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly status: number;
  /** The acting login; the slug of an app that signs as itself; null without an account. */
  readonly actor: string | null;
  readonly at: string;
}

export interface RequestLog {
  readonly requests: LoggedRequest[];
  readonly add: (request: LoggedRequest) => void;
  /** Calls the listener with each request from now on; gives back how to stop. */
  readonly onRequest: (listener: (request: LoggedRequest) => void) => () => void;
  /** Call this after each change that a waiting caller may need. */
  readonly changed: () => void;
  /**
   * Resolves as soon as the predicate is true, checked after each change; rejects after the time
   * limit.
   */
  readonly waitFor: (
    predicate: () => boolean | Promise<boolean>,
    options?: { readonly timeoutMs?: number; readonly what?: string },
  ) => Promise<void>;
}

/** Makes an empty log. */
export function createRequestLog(): RequestLog {
  const requests: LoggedRequest[] = [];
  const listeners = new Set<(request: LoggedRequest) => void>();
  const waiters = new Set<() => void>();
  const changed = () => {
    for (const waiter of [...waiters]) waiter();
  };
  return {
    requests,
    changed,
    add: (request) => {
      requests.push(request);
      for (const listener of [...listeners]) listener(request);
      changed();
    },
    onRequest: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    waitFor: (predicate, { timeoutMs = 120_000, what = 'what was waited for' } = {}) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const look = () => {
        Promise.resolve()
          .then(predicate)
          .then((holds) => {
            if (holds) resolve();
          })
          .catch(reject);
      };
      const timer = setTimeout(() => {
        const recent = requests.slice(-8).map(({ method, path, status }) => `${method} ${path} ${status}`);
        reject(
          new Error(`${what} did not come true in ${timeoutMs} ms; last requests:\n${recent.join('\n')}`),
        );
      }, timeoutMs);
      waiters.add(look);
      look();
      return promise.finally(() => {
        clearTimeout(timer);
        waiters.delete(look);
      });
    },
  };
}
