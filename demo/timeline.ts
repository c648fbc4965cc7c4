/** Prints what a user would have seen, as it happens, with the time since the scene began. */
export interface Timeline {
  scene(title: string): void;
  /** `who` did `what`; further lines are shown below it, indented. */
  say(who: string, what: string, details?: string): void;
  /** Notes that something did not happen; the demo then ends non-zero. */
  missing(what: string): void;
  readonly problems: readonly string[];
}

/** A timeline on a terminal. Long texts are cut at `detailLines` lines. */
export function createTimeline(write: (text: string) => void, detailLines = 14): Timeline {
  let startedAt = performance.now();
  const problems: string[] = [];
  return {
    problems,
    scene(title) {
      startedAt = performance.now();
      write(`\n── ${title}\n`);
    },
    say(who, what, details) {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(5);
      write(`${seconds} s  ${who}: ${what}\n`);
      if (details === undefined) return;
      const lines = details.trim().split('\n');
      for (const line of lines.slice(0, detailLines)) write(`         │ ${line}\n`);
      if (lines.length > detailLines) write(`         │ … ${lines.length - detailLines} more lines\n`);
    },
    missing(what) {
      problems.push(what);
      write(`         ✗ ${what}\n`);
    },
  };
}
