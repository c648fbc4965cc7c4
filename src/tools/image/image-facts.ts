import type { ImagePart } from '../../contract/message.ts';

/** Facts from an image's own bytes; sizes in pixels. */
export interface ImageFacts {
  readonly mediaType: ImagePart['media_type'];
  readonly width: number;
  readonly height: number;
  /** True for several frames: models see only the first, or refuse the image. */
  readonly animated: boolean;
}

/** The facts, or the problem with the bytes: `ends too early`, `has a damaged part (IDAT)`. */
export type Examined = ImageFacts | { readonly problem: string };

/** The problem of a truncated image. */
export const endsTooEarly = { problem: 'ends before the image does: it was cut off' } as const;
