import { largest } from '../../contract/lists.ts';
import type { ThreadImage, ThreadLocation } from '../../contract/plan.ts';
import { uploadKey } from '../../github/upload-address.ts';
import type { Trigger } from '../commands/trigger.ts';

/** New images that one plan takes in, and those of the conversation so far that it keeps. */
const mostNew = 10;
const mostKept = 20;

/** Smaller than this, by the words of whoever put it there, an image is not there for people to see. */
const leastShown = 16;

/** Names the images of a thread as they are met in its texts, each upload once. */
export interface ThreadImageNames {
  /** The text with `[image-1, attached]` in place of each image that was uploaded to GitHub. */
  mark(text: string, place: ThreadLocation): string;
  /** The same for the words of the request itself, which stand in a comment or nowhere. */
  markRequest(text: string, comment: Trigger['comment']): string;
  /** All that were named, those of the conversation so far first. */
  list(): readonly ThreadImage[];
}

/** Markdown's image and HTML's; what is hidden from readers, and alternative texts, are gone before. */
const images = /!\[[^\][]*\]\(\s*<?([^\s()<>]+)>?(?:\s[^()]*)?\)|<img\b([^<>]*)>/gi;

/**
 * `before` holds the images of a conversation that goes on: their names stand in it. New ones are numbered on from them.
 * At most 10 are taken in, so what matters most has to be marked first.
 */
export function nameThreadImages(serverUrl: string, before: readonly ThreadImage[]): ThreadImageNames {
  const named = before.slice(-mostKept);
  const limit = named.length + mostNew;
  let last = largest(
    named.map(({ name }) => Number(name.slice('image-'.length))),
    0,
  );
  const nameOf = (url: string, key: string, place: ThreadLocation): string | null => {
    const known = named.find((image) => uploadKey(image.url, serverUrl) === key);
    if (known !== undefined) return known.name;
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

/** Tells a model how it can see the images that are named; '' where there are none. */
export function imagesNote(named: readonly ThreadImage[]): string {
  const [first] = named;
  if (first === undefined) return '';
  const call = JSON.stringify({ name: 'look_at', args: { target: first.name } });
  return `(Attached images: ${named.map(({ name }) => name).join(', ')}. To see one, call use_tool with ${call}.)`;
}

/** The address in a tag's attributes; null without one, and where the tag makes the image too small to be seen. */
function sourceOf(attributes: string): string | null {
  for (const [, size] of attributes.matchAll(/\b(?:width|height)\s*=\s*["']?(\d+)/gi)) {
    if (Number(size) < leastShown) return null;
  }
  const source = /\bsrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(attributes);
  return source?.[1] ?? source?.[2] ?? source?.[3] ?? null;
}
