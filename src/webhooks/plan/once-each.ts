import type { ThreadLocation } from '../../contract/plan.ts';
import type { TextOrigin } from '../../contract/untrusted.ts';

/** Processing of a thread's texts. */
interface TextWork {
  readonly sanitise: (text: string, origin?: TextOrigin) => string;
  readonly markImages: (text: string, place: ThreadLocation) => string;
}

/** Caches the results by text and location, so that findings are recorded once. */
export function onceEach({ sanitise, markImages }: TextWork): TextWork {
  const done = new Map<string, string>();
  const once = (key: string, work: () => string): string => {
    const previous = done.get(key);
    if (previous !== undefined) return previous;
    const made = work();
    done.set(key, made);
    return made;
  };
  return {
    sanitise: (text, origin) => once(JSON.stringify([text, origin]), () => sanitise(text, origin)),
    markImages: (text, place) => once(JSON.stringify({ text, place }), () => markImages(text, place)),
  };
}
