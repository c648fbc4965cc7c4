import type { ImagePart } from '../../contract/message.ts';

/** What an image's own bytes say of it; sizes in pixels. */
export interface ImageFacts {
  readonly mediaType: ImagePart['media_type'];
  readonly width: number;
  readonly height: number;
  /** More than one picture in a row: models look at the first alone, or refuse it. */
  readonly animated: boolean;
}

/** The facts, or what is wrong with the bytes: `ends too early`, `has a damaged part (IDAT)`. */
export type Examined = ImageFacts | { readonly problem: string };

/** What every examiner says of bytes that stop before the image does. */
export const endsTooEarly = { problem: 'ends before the image does: it was cut off' } as const;
