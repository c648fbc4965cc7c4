import { parseJson } from '../../contract/json.ts';
import type { SavedSession } from '../../contract/session.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { PostedBoxes } from '../../contract/thread-records.ts';

/** Reads the comment with a session's question; null if it has no boxes. */
export async function readBoxes(store: StateStore, { run_id }: SavedSession): Promise<PostedBoxes | null> {
  const text = await store.get(stateKeys.boxes(run_id));
  const parsed = text === null ? null : PostedBoxes.safeParse(parseJson(text));
  return parsed?.success === true ? parsed.data : null;
}
