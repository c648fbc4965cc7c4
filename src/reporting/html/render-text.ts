import { type Clip, missingIn } from './clip.ts';
import { fitText, type Html, html } from './html.ts';
import type { PageRoom } from './page-room.ts';

/** Of a text that does not fit, this part of the room is for its end, where a program says how it went. */
const shareOfEnd = 0.3;

/** A text as a block that scrolls in itself when it is long, with a note of what was left out of it. */
export function renderText(clip: Clip, label: string, room: PageRoom, most: number): Html {
  const { text, bytes } = fitClip(clip, room.next(most));
  room.spend(bytes);
  return html`<pre class="text" tabindex="0" role="region" aria-label="${label}">${text}</pre>`;
}

/** As much of a text as `room` bytes hold: its start and its end. */
export function fitClip(clip: Clip, room: number): { readonly text: Html; readonly bytes: number } {
  const whole = fitText(clip.head, room);
  if (whole.taken === clip.length) return withSize(whole.text);
  const end = fitEnd(clip.tail === '' ? clip.head : clip.tail, Math.floor(room * shareOfEnd));
  const startRoom = Math.floor(room * (1 - shareOfEnd));
  const start = fitText(clip.head, startRoom);
  const missing =
    clip.tail === ''
      ? Math.max(0, clip.length - start.taken - end.taken)
      : missingIn(clip) + clip.head.length - start.taken + clip.tail.length - end.taken;
  const count = missing.toLocaleString('en-US');
  return withSize(
    html`${start.text}<span class="cut">… ${count} characters left out here …</span>${end.text}`,
  );
}

function withSize(text: Html) {
  return { text, bytes: Buffer.byteLength(text.html) };
}

/** The longest end of a text, by halves, that fits. */
function fitEnd(text: string, room: number): { readonly text: Html; readonly taken: number } {
  for (let length = Math.min(text.length, room); length > 0; length = Math.floor(length / 2)) {
    const part = text.slice(-length);
    // Not from the middle of a pair.
    const from = /^[\uDC00-\uDFFF]/.test(part) ? part.slice(1) : part;
    const fitted = fitText(from, room);
    if (fitted.taken === from.length) return fitted;
  }
  return { text: html``, taken: 0 };
}
