import { isSilentEntry, type RunEvent } from '../../contract/run-event.ts';
import type { RunEntry } from '../../contract/run-ledger.ts';
import type { HistoryFold } from '../context/history-fold.ts';
import type { RunLedger } from './open-run-ledger.ts';

/** Writes to the ledger of a run and reports to its listener. */
export interface Recorder {
  /** Enters something into the ledger, and reports it to the listener unless it is silent. */
  readonly record: (entry: RunEntry) => void;
  /** Records a warning; a sentence. */
  readonly warn: (message: string) => void;
  /** Reports only to the listener, whose errors do not end the run. */
  readonly listen: (event: RunEvent) => void;
}

/**
 * Opens the recorder of a run. The listener and `history` get each entry as the ledger holds it:
 * without secrets. Default: no history.
 */
export function openRecorder(
  ledger: Pick<RunLedger, 'record' | 'last'>,
  listener: (event: RunEvent) => void,
  history: Pick<HistoryFold, 'add'> | null = null,
): Recorder {
  const listen = safeListener(listener, (message) =>
    ledger.record({ type: 'diagnostic', level: 'warning', message }),
  );
  const record = (entry: RunEntry) => {
    ledger.record(entry);
    const { last } = ledger;
    if (last === null) return;
    history?.add(last);
    if (!isSilentEntry(last)) listen(last);
  };
  return { record, listen, warn: (message) => record({ type: 'diagnostic', level: 'warning', message }) };
}

/**
 * Wraps a listener so that its errors end nothing. `onFailure` gets a sentence on the first one.
 */
export function safeListener(
  listen: (event: RunEvent) => void,
  onFailure: (message: string) => void,
): (event: RunEvent) => void {
  let isReported = false;
  return (event) => {
    try {
      listen(event);
    } catch (error) {
      if (isReported) return;
      isReported = true;
      const why = error instanceof Error ? error.message : String(error);
      onFailure(`The display of the run's progress failed: ${why}`);
    }
  };
}
