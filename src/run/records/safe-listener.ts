import type { RunEvent } from '../../contract/run-ledger.ts';

/** A listener whose failures do not end the run that it listens to; the first is told to `failed`, in a sentence. */
export function safeListener(
  listen: (event: RunEvent) => void,
  failed: (message: string) => void,
): (event: RunEvent) => void {
  let isReported = false;
  return (event) => {
    try {
      listen(event);
    } catch (error) {
      if (isReported) return;
      isReported = true;
      const why = error instanceof Error ? error.message : String(error);
      failed(`What shows the run as it goes failed: ${why}`);
    }
  };
}
