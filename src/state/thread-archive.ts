import * as z from 'zod';
import { parseJson } from '../contract/json.ts';
import { isSigned, signValue } from './sign-value.ts';

/** The stored state of one thread, as an artifact of a workflow run carries it. */
export const ThreadArchive = z.strictObject({
  version: z.literal(1),
  kind: z.literal('thread-state'),
  /** GitHub's id of the repository. */
  repository: z.int(),
  thread: z.int().positive(),
  /** The workflow run that uploaded it. */
  workflow_run: z.int(),
  /** One more than that of the archive it continues. */
  sequence: z.int().positive(),
  /** Keys and values, the least recently written first. */
  entries: z.array(z.tuple([z.string(), z.string()])).max(5_000),
});
export type ThreadArchive = z.infer<typeof ThreadArchive>;

/** The place that an archive must be of. */
export type ArchivePlace = Pick<ThreadArchive, 'repository' | 'thread' | 'workflow_run'>;

/** The text as it was signed, so that reading it needs no canonical form of JSON. */
const Envelope = z.strictObject({ body: z.string(), signature: z.string() });

const signedAs = 'artifact/thread-state';

/** Returns the archive as text, signed with the secret. */
export function signThreadArchive(archive: ThreadArchive, secret: string): string {
  const body = JSON.stringify(archive);
  return JSON.stringify({ body, signature: signValue(secret, signedAs, body) });
}

/**
 * Reads a signed archive. Null unless its signature holds and it is about this repository, thread
 * and workflow run: an archive that is uploaded again by another run is of no use.
 */
export function readThreadArchive(text: string, place: ArchivePlace, secret: string): ThreadArchive | null {
  const envelope = Envelope.safeParse(parseJson(text));
  if (!envelope.success) return null;
  const { body, signature } = envelope.data;
  if (!isSigned(secret, signedAs, body, signature)) return null;
  const { data: archive } = ThreadArchive.safeParse(parseJson(body));
  const isHere =
    archive?.repository === place.repository &&
    archive.thread === place.thread &&
    archive.workflow_run === place.workflow_run;
  return isHere ? archive : null;
}
