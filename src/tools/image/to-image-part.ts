import { ToolError } from '../../contract/errors.ts';
import type { ImagePart } from '../../contract/message.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { examineImage, withoutDamagedExtras } from './examine-image.ts';

/** Maximum bytes of one image: 4 MiB. */
export const mostImageBytes = 4 * 1024 * 1024;

/** Maximum width or height that every provider takes (Anthropic, "Vision": 8,000 pixels). */
const mostPixels = 8000;

/** An image ready for the model, with its data. */
export interface SeenImage {
  readonly part: ImagePart;
  /** For example `PNG, 1280×720 pixels, 84 KB`. */
  readonly description: string;
  readonly data: {
    readonly media_type: ImagePart['media_type'];
    readonly width: number;
    readonly height: number;
    readonly bytes: number;
  };
}

/**
 * Builds an image part from the bytes of a file. `size` is the size of the whole file, of which
 * `given` may be the beginning. Damaged ancillary chunks of a PNG are removed. Throws `ToolError`:
 * `too_large` over 4 MiB or 8,000 pixels, `not_an_image`, `damaged`.
 */
export function toImagePart(name: string, given: Buffer, size: number): SeenImage {
  const isPng = given.length <= mostImageBytes && given.toString('latin1', 0, 4) === '\x89PNG';
  const bytes = isPng ? withoutDamagedExtras(given) : given;
  const found = examineImage(bytes);
  if ('otherKind' in found) throw notAnImage(name, found);
  if (size > mostImageBytes) {
    throw new ToolError(
      'too_large',
      `${name} has ${kilobytes(size)}; an image may have ${kilobytes(mostImageBytes)}. Make a smaller copy with a command, if the run may use one (ImageMagick: convert ${name} -resize 1600x1600 copy.png), and view that.`,
    );
  }
  if ('problem' in found) {
    throw new ToolError('damaged', `${name} cannot be viewed: it ${found.problem}. No model would take it.`);
  }
  const { mediaType, width, height, animated } = found;
  if (width === 0 || height === 0)
    throw new ToolError('damaged', `${name} is ${width}×${height} pixels: empty.`);
  if (Math.max(width, height) > mostPixels) {
    throw new ToolError(
      'too_large',
      `${name} is ${width}×${height} pixels; models take at most ${mostPixels} in width and height. Make a smaller copy or cut a part out with a command, if the run may use one, and view that.`,
    );
  }
  const kind = mediaType.slice('image/'.length).toUpperCase();
  const note = animated ? ', animated: only its first picture is visible' : '';
  return {
    part: { type: 'image', media_type: mediaType, data: bytes.toString('base64') },
    description: `${kind}, ${width}×${height} pixels, ${kilobytes(size)}${note}`,
    data: { media_type: mediaType, width, height, bytes: size },
  };
}

function notAnImage(name: string, found: { otherKind: string; isText: boolean }): ToolError {
  return new ToolError('not_an_image', `${name} is ${found.otherKind}. ${adviceFor(found)}`);
}

function adviceFor({ otherKind, isText }: { otherKind: string; isText: boolean }): string {
  if (otherKind === 'a Git LFS pointer') return 'The image itself is not in the checkout.';
  if (isText && otherKind !== 'empty') return 'Read it as text with read.';
  return 'Supported formats are png, jpg, gif and webp.';
}

function kilobytes(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : `${Math.ceil(bytes / 1024).toLocaleString('en')} KiB`;
}

/** Reads an image by a path as `read` takes it. Throws `ToolError` if no model could see it. */
export async function loadImage(workspace: Workspace, path: string): Promise<SeenImage> {
  const info = await workspace.files.stat(path);
  if (info?.kind === 'directory') {
    throw new ToolError('is_directory', `${path || '.'} is a directory. Find its images with glob.`);
  }
  const { bytes, size } = await workspace.files.read(path, mostImageBytes);
  return toImagePart(workspace.files.relative(path), bytes, size);
}
