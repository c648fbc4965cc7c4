import { fitText, type Html, html } from './html.ts';

/** Share of the budget for the end of a cut text, where programs report their result. */
const shareOfEnd = 0.3;

/** Renders a text as a scrolling block, with a note if it is cut. */
export function renderText(clip: Clip, label: string, budget: PageBudget, most: number): Html {
  const { text, bytes } = fitClip(clip, budget.next(most));
  budget.spend(bytes);
  return html`<pre class="text" tabindex="0" role="region" aria-label="${label}">${text}</pre>`;
}

/** Fits the start and end of a text into `budget` bytes. */
export function fitClip(clip: Clip, budget: number): { readonly text: Html; readonly bytes: number } {
  const whole = fitText(clip.head, budget);
  if (whole.length === clip.length) return withSize(whole.text);
  const end = fitEnd(clip.tail === '' ? clip.head : clip.tail, Math.floor(budget * shareOfEnd));
  const startBudget = Math.floor(budget * (1 - shareOfEnd));
  const start = fitText(clip.head, startBudget);
  const missing =
    clip.tail === ''
      ? Math.max(0, clip.length - start.length - end.length)
      : missingIn(clip) + clip.head.length - start.length + clip.tail.length - end.length;
  const count = missing.toLocaleString('en-US');
  return withSize(
    html`${start.text}<span class="cut">… ${count} characters left out here …</span>${end.text}`,
  );
}

function withSize(text: Html) {
  return { text, bytes: Buffer.byteLength(text.html) };
}

/** The longest end of a text, by halves, that fits. */
function fitEnd(text: string, budget: number): { readonly text: Html; readonly length: number } {
  for (let length = Math.min(text.length, budget); length > 0; length = Math.floor(length / 2)) {
    const part = text.slice(-length);
    // Not from the middle of a pair.
    const from = /^[\uDC00-\uDFFF]/.test(part) ? part.slice(1) : part;
    const fitted = fitText(from, budget);
    if (fitted.length === from.length) return fitted;
  }
  return { text: html``, length: 0 };
}

/**
 * A text as far as a report may display it: start, end if the middle is omitted, and full length.
 */
export interface Clip {
  readonly head: string;
  /** '' if nothing was omitted. */
  readonly tail: string;
  /** UTF-16 units of the whole. */
  readonly length: number;
}

/** Maximum length of one displayed text, in UTF-16 units, whatever the budget. */
const headLength = 24_000;
const tailLength = 8_000;

/**
 * Clips a text to what a report may display. Copies the parts, since a slice would keep the whole
 * text in memory.
 */
export function clipText(text: string): Clip {
  const { length } = text;
  if (length <= headLength + tailLength) return { head: text, tail: '', length };
  return { head: copyOf(text.slice(0, headLength)), tail: copyOf(text.slice(-tailLength)), length };
}

function copyOf(part: string): string {
  // JSON preserves lone surrogates, which a change of encoding would lose.
  return JSON.parse(JSON.stringify(part)) as string;
}

/** Returns the number of omitted characters. */
export function missingIn({ head, tail, length }: Clip): number {
  return length - head.length - tail.length;
}

/** Divides bytes among a known number of pieces. Later pieces may use what earlier ones leave. */
export interface PageBudget {
  /** The most bytes the next piece may take, up to `most`; to be followed by `spend`. */
  next(most: number): number;
  spend(bytes: number): void;
}

/** A budget of `bytes` for `pieces` pieces of a page. */
export function createPageBudget(bytes: number, pieces: number): PageBudget {
  let remaining = bytes;
  let waiting = pieces;
  return {
    next(most) {
      const share = remaining / Math.max(1, waiting);
      waiting -= 1;
      return Math.max(0, Math.floor(Math.min(most, share)));
    },
    spend(bytes) {
      remaining = Math.max(0, remaining - bytes);
    },
  };
}
