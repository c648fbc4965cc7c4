import { ConfigError, RunStopped } from '../../contract/errors.ts';
import type { Usage } from '../../contract/usage.ts';
import type { Model } from './model.ts';
import { ProviderError, type ProviderProblem } from './provider-error.ts';
import { streamOnce } from './retry.ts';

/**
 * Problems that another model can help with: the provider is unavailable. A wrong key or name is
 * reported to the operator instead. Another model is not asked to overrule a refusal.
 */
const solvedByFallback: readonly ProviderProblem[] = [
  'rate_limited',
  'overloaded',
  'server_error',
  'unreachable',
  'broken',
  'idle',
  'timeout',
  'quota',
];

/**
 * A model with a fallback, which takes over once its provider gave up on a request. The switch is
 * permanent, as every later turn would fail after all tries again. `next` are opened when needed;
 * one that is not available (no key) is skipped. `onNotice` gets a sentence for the record at
 * each step.
 */
export function fallbackModel(
  first: Model,
  next: readonly { readonly name: string; readonly open: () => Promise<Model> }[],
  onNotice: (message: string) => void,
): Model {
  let current = first;
  const waiting = [...next];
  /** The model of each answer, because others may have answered before its cost is requested. */
  const answered = new WeakMap<Usage, Model>();
  const takeOver = async (failed: Model, why: string): Promise<boolean> => {
    // A parallel request that failed later finds the change made.
    if (failed !== current) return true;
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      try {
        const opened = await one.open();
        if (failed !== current) return true;
        current = opened;
        onNotice(`${why} ${opened.name} took over from ${failed.name} for the rest of the run.`);
        return true;
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        onNotice(`The fallback ${one.name} was passed over: ${error.message}`);
      }
    }
    return failed !== current;
  };
  return {
    get name() {
      return current.name;
    },
    get nativeTools() {
      return current.nativeTools;
    },
    get contextWindow() {
      return current.contextWindow;
    },
    cost: (usage) => (answered.get(usage) ?? current).cost(usage),
    async complete(request, onText) {
      const texts = streamOnce(onText);
      for (;;) {
        const model = current;
        const attempt = texts.begin();
        try {
          const reply = await model.complete(request, (piece) => attempt.push(piece));
          attempt.end();
          answered.set(reply.usage, model);
          return reply;
        } catch (error) {
          const why = reasonToLeave(error);
          if (why === null || request.signal.aborted || !(await takeOver(model, why))) throw error;
        }
      }
    },
  };
}

function reasonToLeave(error: unknown): string | null {
  if (!(error instanceof RunStopped) || !(error.cause instanceof ProviderError)) return null;
  return solvedByFallback.includes(error.cause.problem) ? error.message : null;
}
