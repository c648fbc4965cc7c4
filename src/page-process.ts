import { text } from 'node:stream/consumers';
import type { PageAnswer } from './extensions/web/convert-page.ts';
import { pageToMarkdown } from './extensions/web/page-to-markdown.ts';

/**
 * The root of the process that makes Markdown of a page a stranger wrote: it gets the page on standard input and gives the Markdown on
 * standard output, and can open no files but its own program's. The network is open to it, and nothing in it asks for anything: it runs no
 * script of a page and loads nothing that a page names. Started by `convertPage`.
 */
function answer(request: string): PageAnswer {
  try {
    return pageToMarkdown(JSON.parse(request));
  } catch {
    // Whatever a parser stumbles over: the page is then read tag by tag, by who asked.
    return null;
  }
}

process.stdout.write(JSON.stringify(answer(await text(process.stdin))));
