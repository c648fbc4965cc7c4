import { decodeEntities } from './decode-entities.ts';

/** `&` written as a reference, as often as one likes: `&amp;#38;amp;`. */
const layers = /&(?:(?:amp|AMP|#0{0,6}38|#[xX]0{0,6}26);)+(?=#|[A-Za-z])/g;

/** References to what begins code stay as they are: GitHub makes no code of them either. */
const ofCode = /&(?:#0{0,6}(?:96|126);?|#[xX]0{0,6}(?:60|7[eE]);?|grave;|DiacriticalGrave;)/g;

/**
 * Decodes character references until none is left, however often they were written as references themselves. A text in which
 * they are nested too deep loses its `&`.
 */
export function decodeAll(text: string): string {
  let done = text;
  for (let pass = 0; pass < 12; pass++) {
    const next = decodeOnce(done);
    if (next === done) return done;
    done = next;
  }
  return done.replaceAll('&', '');
}

function decodeOnce(text: string): string {
  const flat = text.replace(layers, '&');
  let done = '';
  let last = 0;
  for (const match of flat.matchAll(ofCode)) {
    done += decodeEntities(flat.slice(last, match.index)) + match[0];
    last = match.index + match[0].length;
  }
  return done + decodeEntities(flat.slice(last));
}
