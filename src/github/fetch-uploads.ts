import type { Octokit } from '@octokit/rest';
import type { ThreadImage, ThreadLocation } from '../contract/plan.ts';
import type { FetchedAttachment } from '../contract/thread.ts';
import { userAgent } from './create-octokit.ts';
import { isUploadStore, uploadKey } from './upload-address.ts';

interface FetchUploadsOptions {
  /** Client that reads the thread; should abort with `signal`. Its token is sent nowhere else. */
  readonly octokit: Octokit;
  readonly owner: string;
  readonly repo: string;
  readonly thread: number;
  /** Base URL of this GitHub's pages. */
  readonly serverUrl: string;
  readonly mostBytes: number;
  /** Aborts all fetches; a `TimeoutError` as reason is reported as a timeout. */
  readonly signal: AbortSignal;
}

/**
 * Fetches the uploads of a thread. Most have only a signed address, valid for minutes, which the
 * API returns in the rendered text (GitHub docs, "Media types", `full`). So each text with an
 * upload is fetched again, and only addresses of planned uploads are used. Upload hosts receive no
 * token, and only one redirect to such a host is followed. Errors become the failure of their
 * upload; nothing throws.
 */
export async function fetchUploads(
  images: readonly ThreadImage[],
  options: FetchUploadsOptions,
): Promise<FetchedAttachment[]> {
  const rendered = new Map<string, Promise<string>>();
  const textAt = (place: ThreadLocation): Promise<string> => {
    const key = JSON.stringify(place);
    const text = rendered.get(key) ?? readRendered(place, options);
    // The awaiting caller reports it; until then it must not count as unhandled.
    text.catch(() => undefined);
    rendered.set(key, text);
    return text;
  };
  return Promise.all(
    images.map(async (image): Promise<FetchedAttachment> => {
      try {
        const address = isPublic(image.url)
          ? image.url
          : signedAddress(image, await textAt(image.place), options);
        return { name: image.name, bytes: await download(address, options) };
      } catch (error) {
        return { name: image.name, failure: explain(error, options.signal) };
      }
    }),
  );
}

/** Uploads of the old kind are public to anyone with the address. */
const isPublic = (address: string): boolean =>
  new URL(address).origin === 'https://user-images.githubusercontent.com';

/** Returns the text of a location as HTML. */
async function readRendered(
  place: ThreadLocation,
  { octokit, owner, repo, thread }: FetchUploadsOptions,
): Promise<string> {
  const where = {
    owner,
    repo,
    headers: { accept: 'application/vnd.github.full+json' },
  };
  const { pulls, issues } = octokit.rest;
  switch (place.kind) {
    case 'description':
      return (await issues.get({ ...where, issue_number: thread })).data.body_html ?? '';
    case 'comment':
      return (await issues.getComment({ ...where, comment_id: place.id })).data.body_html ?? '';
    case 'review_comment':
      return (await pulls.getReviewComment({ ...where, comment_id: place.id })).data.body_html ?? '';
    case 'review':
      return (
        (await pulls.getReview({ ...where, pull_number: thread, review_id: place.id })).data.body_html ?? ''
      );
  }
}

/** Finds the address of an upload in a rendered text, which may have been edited since the plan. */
function signedAddress(image: ThreadImage, html: string, { serverUrl }: FetchUploadsOptions): string {
  const key = uploadKey(image.url, serverUrl);
  const addresses = [...html.matchAll(/\b(?:src|href)="([^"]*)"/g)]
    .map(([, address = '']) => address.replaceAll('&amp;', '&'))
    .filter((address) => uploadKey(address, serverUrl) === key);
  // A signed address also works for a private repository.
  const found = addresses.find((address) => new URL(address).search !== '') ?? addresses[0];
  if (key === null || found === undefined) throw new UploadError('it is not in the text any more.');
  return found;
}

async function download(address: string, options: FetchUploadsOptions): Promise<Buffer> {
  const ask = (url: string) =>
    fetch(url, {
      redirect: 'manual',
      credentials: 'omit',
      headers: { 'user-agent': userAgent },
      signal: options.signal,
    });
  let response = await ask(address);
  const location = response.headers.get('location');
  if (response.status >= 300 && response.status < 400 && location !== null) {
    await response.body?.cancel();
    const next = URL.canParse(location, address) ? new URL(location, address).href : '';
    if (!isUploadStore(next, options.serverUrl)) throw new UploadError('its address leads elsewhere.');
    response = await ask(next);
  }
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new UploadError(`the answer for it was ${response.status}.`);
  }
  return readUpTo(response, options.mostBytes);
}

async function readUpTo(response: Response, mostBytes: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    // Leaving the loop closes the connection.
    if (bytes > mostBytes) {
      throw new UploadError(`it has more than ${Math.floor(mostBytes / 1024).toLocaleString('en')} KiB.`);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Reason for a missing upload: a sentence without its subject. */
class UploadError extends Error {
  override readonly name = 'UploadError';
}

function explain(error: unknown, signal: AbortSignal): string {
  if (error instanceof UploadError) return error.message;
  if (signal.aborted) {
    const reason: unknown = signal.reason;
    const late = reason instanceof Error && reason.name === 'TimeoutError';
    return late ? 'it took too long.' : 'the run was ended.';
  }
  const status = error instanceof Error && 'status' in error ? error.status : null;
  return typeof status === 'number'
    ? `GitHub answered ${status} for the text it stands in.`
    : 'the connection failed.';
}
