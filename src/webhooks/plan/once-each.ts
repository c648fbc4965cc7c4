import type { ThreadLocation } from '../../contract/plan.ts';
import type { TextOrigin } from '../../contract/untrusted.ts';

/** What is done to texts of a thread, done once for each, so that what it finds is not told twice. */
export interface TextWork {
  readonly sanitise: (text: string, origin?: TextOrigin) => string;
  readonly markImages?: (text: string, place: ThreadLocation) => string;
}

/** The same work, which remembers what came of each text at each place. */
export function onceEach({ sanitise, markImages }: TextWork): TextWork {
  const done = new Map<string, string>();
  const once = (key: string, work: () => string): string => {
    const known = done.get(key);
    if (known !== undefined) return known;
    const made = work();
    done.set(key, made);
    return made;
  };
  return {
    sanitise: (text, origin) => once(JSON.stringify([text, origin]), () => sanitise(text, origin)),
    ...(markImages === undefined
      ? {}
      : {
          markImages: (text, place) => once(JSON.stringify({ text, place }), () => markImages(text, place)),
        }),
  };
}
