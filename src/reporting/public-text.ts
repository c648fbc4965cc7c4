import { neutraliseOutgoing } from '../permissions/sanitise.ts';

/** Stands between two characters that would mean something together; a reader sees nothing of it. */
const apart = '\u200b';

/** Images of the same site with a plain relative path: `![chart](docs/chart.png)`. */
const ownImage = /^!\[[^\]\n]*\]\((?!\/\/)[\w./-]+\)/u;
const loadingTag = /<(?=(?:img|image|picture|source|video|audio|track|svg|input|object|embed|iframe)\b)/giu;
const ownTag = /^<[^<>&:\\]*>/u;

/**
 * Text of a model as it may be posted: nobody is mentioned, nothing closed, no comment hidden (see
 * `neutraliseOutgoing`), and no image of another site shown, since whoever views it would tell that site what
 * its address says, and the address is the model's. Such images become the text they were written with.
 * This goes for code too: what is code to us may not be code to GitHub.
 */
export function publicText(text: string): string {
  const safe = neutraliseOutgoing(text);
  return safe
    .replace(/!(?=\[)/gu, (mark, at: number) =>
      ownImage.test(safe.slice(at, at + 500)) ? mark : mark + apart,
    )
    .replace(loadingTag, (bracket, at: number, whole: string) => {
      const tag = ownTag.exec(whole.slice(at, at + 1_000))?.[0];
      return tag !== undefined && !tag.includes('//') ? bracket : bracket + apart;
    });
}
