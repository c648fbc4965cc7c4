import { text } from 'node:stream/consumers';
import type { PageAnswer } from './extensions/web/convert-page.ts';
import { pageToMarkdown } from './extensions/web/page-to-markdown.ts';

/**
 * Entry point of the process that converts an untrusted page to Markdown: the page on standard
 * input, the Markdown on standard output. It can read only its own program's files. The network is
 * not blocked, but it runs no script and loads nothing that a page names. Started by `convertPage`.
 */
function answer(request: string): PageAnswer {
  try {
    return pageToMarkdown(JSON.parse(request));
  } catch {
    // A parser failed: the caller then reads the page tag by tag.
    return null;
  }
}

process.stdout.write(JSON.stringify(answer(await text(process.stdin))));
