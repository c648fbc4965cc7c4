import { ToolError } from '../../contract/errors.ts';
import { nameMatcher } from '../../permissions/patterns/match-globs.ts';
import type { Profile } from '../profiles/profiles.ts';

/**
 * Counts the calls of each tool of one run against the limits of its profile, by name or glob.
 * Throws `ToolError('used_up')` beyond the smallest limit that matches. The run itself continues.
 */
export function limitCalls(maxCallsPerTool: Readonly<Record<string, number>>): (tool: string) => void {
  const limits = Object.entries(maxCallsPerTool).map(([pattern, most]) => ({
    fits: nameMatcher([pattern]),
    most,
    made: 0,
  }));
  return (tool) => {
    const matching = limits.filter(({ fits }) => fits(tool));
    const full = matching.find(({ made, most }) => made >= most);
    if (full !== undefined) {
      throw new ToolError(
        'used_up',
        `${tool} is used up: this run may call it ${full.most} times. Go on without it.`,
      );
    }
    for (const limit of matching) limit.made += 1;
  };
}

/** The children of one run: how many its profile lets it start, and how many at once. */
export interface Delegations {
  /**
   * Counts one more child and waits for its slot; returns the release of the slot. Throws
   * `ToolError('used_up')` if the run may start no more, and the abort if it ends before.
   */
  begin(signal: AbortSignal): Promise<() => void>;
  /** Number of children that may still be started. */
  readonly left: number;
}

/** Counts the children of a run of `profile`. */
export function openDelegations(
  profile: Pick<Profile, 'name' | 'maxDelegations' | 'maxConcurrentDelegations'>,
): Delegations {
  const { maxDelegations, maxConcurrentDelegations } = profile;
  let started = 0;
  let running = 0;
  const waiting: (() => void)[] = [];
  const leave = () => {
    running -= 1;
    waiting.shift()?.();
  };
  return {
    get left() {
      return maxDelegations - started;
    },
    async begin(signal) {
      if (started >= maxDelegations) {
        const many =
          maxDelegations === 0
            ? 'no other agents'
            : `${maxDelegations} other agent${maxDelegations === 1 ? '' : 's'}, and did`;
        throw new ToolError('used_up', `A run of ${profile.name} may start ${many}. Go on by yourself.`);
      }
      started += 1;
      while (running >= maxConcurrentDelegations) await slotFree(waiting, signal);
      running += 1;
      let left = false;
      return () => {
        if (left) return;
        left = true;
        leave();
      };
    },
  };
}

/** Resolves when a slot was released; rejects on abort, and then takes none. */
function slotFree(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      waiting.splice(waiting.indexOf(resume), 1);
      reject(signal.reason);
    };
    const resume = () => {
      signal.removeEventListener('abort', stop);
      resolve();
    };
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    signal.addEventListener('abort', stop, { once: true });
    waiting.push(resume);
  });
}
