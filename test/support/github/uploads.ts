import { randomUUID } from 'node:crypto';
import { escapeHtml } from './pages/markdown.ts';
import type { HttpAnswer } from './server/rest.ts';
import { timestamp, type Upload, type World } from './world.ts';

/** Uploads a file as the web page does, and gives the address that its writer puts into a comment. */
export function addUpload(world: World, bytes: Buffer, fields: { readonly private?: boolean } = {}): string {
  return `${world.url}/user-attachments/assets/${store(world, bytes, fields.private ?? false).id}`;
}

/** Stores a file that only its signed address gives. */
export const storeSigned = (world: World, bytes: Buffer): Upload => store(world, bytes, true);

function store(world: World, bytes: Buffer, isPrivate: boolean): Upload {
  const upload: Upload = { id: randomUUID(), bytes, private: isPrivate, signature: randomUUID() };
  world.uploads.set(upload.id, upload);
  return upload;
}

/**
 * The answer at the address of an upload, null for any other. The address in people's texts
 * redirects, unless it is private, to the signed one, which accepts no further credentials.
 */
export function uploadAnswer(world: World, url: URL, authorization: string | undefined): HttpAnswer | null {
  const [, kind, id = ''] =
    /^\/(user-attachments\/assets|storage\/user\/1\/files)\/([0-9a-f-]{36})$/.exec(url.pathname) ?? [];
  if (kind === undefined) return null;
  const upload = world.uploads.get(id);
  const text = (status: number, body: string) => ({
    status,
    headers: { 'content-type': 'text/plain' },
    body,
  });
  if (upload === undefined) return text(404, 'Not Found');
  if (authorization !== undefined) return text(400, 'Only one authentication mechanism is allowed');
  if (kind === 'user-attachments/assets') {
    if (upload.private) return text(404, 'Not Found');
    return { status: 302, headers: { location: signed(world, upload) }, body: null };
  }
  if (url.searchParams.get('token') !== upload.signature) return text(404, 'Not Found');
  return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body: upload.bytes };
}

/** The signed address of a stored file. */
export const signed = (world: World, { id, signature }: Upload) =>
  `${world.url}/storage/user/1/files/${id}?token=${signature}&at=${encodeURIComponent(timestamp(world))}`;

/** A text as the media type `full` renders its images: uploaded ones get signed addresses. */
export function renderFull(world: World, body: string): string {
  const image = (address: string) => {
    const id = /\/user-attachments\/assets\/([0-9a-f-]{36})$/.exec(address)?.[1] ?? '';
    const upload = world.uploads.get(id);
    return `<img src="${escapeHtml(upload === undefined ? address : signed(world, upload))}">`;
  };
  const parts = body.split(/!\[[^\]]*\]\(([^)\s]+)\)|<img[^>]*\bsrc="([^"]+)"[^>]*>/);
  const html = parts.map((part, index) => {
    if (part === undefined) return '';
    return index % 3 === 0 ? escapeHtml(part) : image(part);
  });
  return `<p>${html.join('')}</p>`;
}
