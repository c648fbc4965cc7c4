import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { decodeEntities } from '../../untrusted-text/decode-entities.ts';

/** A page as text for a model. */
export interface ConvertedPage {
  readonly title: string;
  readonly text: string;
  /** False where the page could only be read tag by tag. */
  readonly whole: boolean;
}

/** Request and answer of the process; null if it could not convert the page. */
export interface PageRequest {
  readonly html: string;
  readonly url: string;
}
export type PageAnswer = Pick<ConvertedPage, 'title' | 'text'> | null;

/** A page of 5 MiB takes a second or two. */
const convertMs = 8_000;
const mostOutput = 16 * 1024 ** 2;

/**
 * Converts a page to Markdown in a process of its own (`src/page-process.ts`, or its build). The
 * process reads only its own files and holds no secret. It is killed after 8 seconds or at
 * 256 MiB, as a page may be hostile. The fallback is the page's text by its tags.
 */
export async function convertPage(
  program: string,
  request: PageRequest,
  signal: AbortSignal,
): Promise<ConvertedPage> {
  const answer = await ask(program, request, signal);
  signal.throwIfAborted();
  if (answer !== null) return { ...answer, whole: true };
  const title = /<title[^<>]*>([^<]{0,500})/i.exec(request.html)?.[1] ?? '';
  return { title: pageText(title), text: pageText(request.html), whole: false };
}

function ask(program: string, request: PageRequest, signal: AbortSignal): Promise<PageAnswer> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      processArguments(program),
      {
        ...{ env: {}, cwd: '/', encoding: 'utf8', signal },
        ...{ timeout: convertMs, killSignal: 'SIGKILL', maxBuffer: mostOutput },
      },
      (error, stdout) => resolve(error === null ? readAnswer(stdout) : null),
    );
    // It may end before it has read all.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(JSON.stringify(request));
  });
}

/**
 * Allows reading the program and the packages beside it; no writing and no child processes. The
 * permission model of Node 24 cannot close the network.
 */
function processArguments(program: string): string[] {
  const file = realpathSync(program);
  const folder = path.dirname(file);
  return [
    '--max-old-space-size=256',
    '--no-warnings',
    '--permission',
    ...[folder, path.join(path.dirname(folder), 'node_modules')].map((one) => `--allow-fs-read=${one}/*`),
    file,
  ];
}

function readAnswer(stdout: string): PageAnswer {
  try {
    return JSON.parse(stdout) as PageAnswer;
  } catch {
    return null;
  }
}

/** Elements that begin and end a line. */
const blocks =
  'address article aside blockquote br dd div dl dt fieldset figcaption figure footer form h[1-6] header hr li main nav ol option p pre section table tbody td th thead title tr ul';

/** Comments; elements without text; tags that start or end a line; other tags. */
const markup = new RegExp(
  [
    '<!--[\\s\\S]*?(?:-->|$)',
    '<(script|style|template|svg|noscript|iframe|textarea)\\b[\\s\\S]*?(?:<\\/\\1|$)[^<>]*>?',
    `(<\\/?(?:${blocks.replaceAll(' ', '|')})(?=[\\s/>])[^<>]*>?)`,
    '<[a-z/!?][^<>]*>?',
  ].join('|'),
  'gi',
);

/**
 * Extracts the text of a page by its tags, as a fallback. Time is linear in the length of the page,
 * however deep it is nested.
 */
export function pageText(html: string): string {
  const text = html.replaceAll(markup, (_tag, _hidden, block: string | undefined) =>
    block === undefined ? ' ' : '\n',
  );
  return decodeEntities(text)
    .split('\n')
    .map((line) => line.replaceAll(/[ \t\r\f\v\u00a0]+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}
