import { largest } from '../../contract/lists.ts';
import type { ThreadImage, ThreadLocation } from '../../contract/plan.ts';
import { uploadKey } from '../../github/upload-address.ts';
import type { Trigger } from '../commands/trigger.ts';

/** Maximum new images in a plan, and images of the earlier conversation. */
const mostNew = 10;
const mostPrevious = 20;

/** Minimum declared width and height of an image for people, in pixels. */
const minVisibleSize = 16;

/** Names the images in a thread's texts, each upload once. */
export interface ThreadImageNames {
  /** Replaces each image uploaded to GitHub by `[image-1, attached]`. */
  mark(text: string, place: ThreadLocation): string;
  /** Marks the images in the request's text, which is in a comment or nowhere. */
  markRequest(text: string, comment: Trigger['comment']): string;
  /** Lists all named images, earlier ones first. */
  list(): readonly ThreadImage[];
}

/** Images in Markdown and HTML; hidden text and alternative texts are already removed. */
const images = /!\[[^\][]*\]\(\s*<?([^\s()<>]+)>?(?:\s[^()]*)?\)|<img\b([^<>]*)>/gi;

/**
 * Creates the names for a plan. `before` holds the images of a continued conversation; new numbers
 * follow theirs. At most 10 are added, so mark the most important text first.
 */
export function nameThreadImages(serverUrl: string, before: readonly ThreadImage[]): ThreadImageNames {
  const named = before.slice(-mostPrevious);
  const limit = named.length + mostNew;
  let last = largest(
    named.map(({ name }) => Number(name.slice('image-'.length))),
    0,
  );
  const nameOf = (url: string, key: string, place: ThreadLocation): string | null => {
    const existing = named.find((image) => uploadKey(image.url, serverUrl) === key);
    if (existing !== undefined) return existing.name;
    if (named.length >= limit) return null;
    last += 1;
    const image = { name: `image-${last}`, url, place };
    named.push(image);
    return image.name;
  };
  const mark: ThreadImageNames['mark'] = (text, place) =>
    text.replace(images, (whole, link: string | undefined, tag: string | undefined) => {
      const url = link ?? sourceOf(tag ?? '');
      const key = url === null ? null : uploadKey(url, serverUrl);
      if (url === null || key === null) return whole;
      const name = nameOf(url, key, place);
      if (name === null) return `[image, not attached: there are more than ${mostNew}]`;
      return `[${name}, attached]`;
    });
  return {
    mark,
    markRequest: (text, comment) => {
      if (comment === null) return text;
      return mark(text, {
        kind: comment.kind === 'issue_comment' ? 'comment' : comment.kind,
        id: comment.id,
      });
    },
    list: () => named,
  };
}

/** Returns the instruction for viewing the named images; empty without images. */
export function imagesNote(named: readonly ThreadImage[]): string {
  const [first] = named;
  if (first === undefined) return '';
  const call = JSON.stringify({ name: 'look_at', args: { target: first.name } });
  return `(Attached images: ${named.map(({ name }) => name).join(', ')}. To see one, call use_tool with ${call}.)`;
}

/** Returns the source in a tag's attributes; null without one, or for an image too small to see. */
function sourceOf(attributes: string): string | null {
  for (const [, size] of attributes.matchAll(/\b(?:width|height)\s*=\s*["']?(\d+)/gi)) {
    if (Number(size) < minVisibleSize) return null;
  }
  const source = /\bsrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(attributes);
  return source?.[1] ?? source?.[2] ?? source?.[3] ?? null;
}
