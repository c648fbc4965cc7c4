import { setTimeout as sleep } from 'node:timers/promises';
import type { RunPlan } from '../../contract/plan.ts';
import type { FetchedAttachment } from '../../contract/thread.ts';
import { createOctokit } from '../../github/create-octokit.ts';

/** Time limit in milliseconds for all images of a thread together. */
const timeoutMs = 30_000;

/**
 * Fetches the images that a plan names. Sends no request without any. Never throws: an image that
 * cannot be fetched, or is none, has a `failure`.
 */
export async function fetchAttachments(
  plan: RunPlan,
  ports: { readonly apiUrl: string; readonly readToken: () => Promise<string>; readonly signal: AbortSignal },
): Promise<FetchedAttachment[]> {
  const { attachments, repository, thread } = plan;
  if (attachments.length === 0 || thread === null) return [];
  const [{ fetchUploads }, { examineImage }, { mostImageBytes }] = await Promise.all([
    import('../../github/fetch-uploads.ts'),
    import('../../tools/image/examine-image.ts'),
    import('../../tools/image/to-image-part.ts'),
  ]);
  const token = await ports.readToken().catch(() => null);
  if (token === null)
    return attachments.map(({ name }) => ({ name, failure: 'there was no token to read it.' }));
  const signal = AbortSignal.any([ports.signal, AbortSignal.timeout(timeoutMs)]);
  const uploads = await fetchUploads(attachments, {
    octokit: createOctokit({
      apiUrl: ports.apiUrl,
      token,
      signal,
      wait: (milliseconds) => sleep(milliseconds, undefined, { signal }),
    }),
    owner: repository.owner,
    repo: repository.name,
    thread: thread.number,
    serverUrl: new URL(repository.clone_url).origin,
    mostBytes: mostImageBytes,
    signal,
  });
  return uploads.map((upload) => {
    if ('failure' in upload) return upload;
    const found = examineImage(upload.bytes);
    if ('otherKind' in found)
      return { name: upload.name, failure: `it is ${found.otherKind}, no image that can be shown.` };
    return 'problem' in found ? { name: upload.name, failure: `it ${found.problem}.` } : upload;
  });
}
