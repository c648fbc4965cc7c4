import { closedEnd, closedStart } from './closing-words.ts';
import { codeRegions } from './code-regions.ts';
import { stripInvisible } from './invisible.ts';
import { neutraliseProse } from './neutralise-prose.ts';
import { shownCode } from './shown-code.ts';

/**
 * Makes text of the model harmless to post as Markdown: it notifies nobody, closes nothing, gives bots no command, and links to
 * nothing but the repository's own files and the given hosts (`github.com`, `localhost:8080`, `*.example.com` for all below one).
 * No HTML but plain tags within a line is left. What GitHub would act on is taken apart by a character that does not show, so
 * nothing of it can become code, or stop being code, by what stands around it. No keyword at its end closes an issue at the beginning
 * of another such text. Code beyond doubt keeps every character that shows; any other mark of code becomes text. Applied twice it
 * changes no more.
 */
export function neutraliseOutgoing(text: string, hosts: readonly string[] = []): string {
  const visible = stripInvisible(text).text.replace(/\r\n?/g, '\n');
  let done = '';
  let last = 0;
  const prose = (part: string) => {
    const safe = neutraliseProse(part, done.slice(done.lastIndexOf('\n', done.length - 1) + 1), hosts);
    return done === '' ? closedStart(safe) : safe;
  };
  for (const region of codeRegions(visible, { html: false, escaping: true })) {
    done += prose(visible.slice(last, region.whole.start)) + shownCode(visible, region);
    last = region.whole.end;
  }
  return done + closedEnd(prose(visible.slice(last)));
}

/** The signs before a name. In the middle of a word one alone notifies nobody. */
const mention = /(?<!@)@+(?=[a-z0-9])/gi;

/** GitHub Docs, "Linking a pull request to an issue": keywords that close what they name. */
const closing =
  /(?<![a-z0-9])((?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)[\s:]+)(?:((?:[\w.-]{1,100}\/[\w.-]{1,100})?)(?:#|GH-)(?=\d)|https?:\/\/(?=\S+?\/(?:issues|pull)\/\d))/gi;

/**
 * The same for a place that shows text as it is: messages of commits and titles. Mentions lose their `@`. Behind a closing word
 * numbers lose their `#` and addresses their `https://`. Words that keep workflows from running are taken apart (GitHub Docs,
 * "Skipping workflow runs").
 */
export function neutralisePlain(text: string): string {
  return stripInvisible(text)
    .text.replace(mention, (_, at: number, all: string) => (/\w/.test(all.charAt(at - 1)) ? '@' : ''))
    .replace(closing, (_, keyword: string, repository = '') =>
      repository === '' ? keyword : `${keyword}${repository} `,
    )
    .replace(/\[((?:skip|no) (?:ci|actions)|(?:ci|actions) skip)\]/gi, '($1)')
    .replace(/^(skip-checks|[a-z-]+-by|anode-run)\s*:/gim, '$1 ');
}
