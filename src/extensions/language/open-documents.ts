import { pathToFileURL } from 'node:url';
import { ToolError } from '../../contract/errors.ts';
import type { JsonObject } from '../../contract/json.ts';
import { unlessToolError } from '../../workspace/files/unless-tool-error.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { LanguageServer } from './language-server.ts';

/** A file that a server has open, as it was last sent. */
export interface OpenDocument {
  readonly path: string;
  readonly uri: string;
  readonly version: number;
  readonly text: string;
  /** What the server had said without being asked, by count, when this version was sent. */
  readonly sentAt: number;
}

/** Keeps what a server knows of files in step with the checkout. */
export interface OpenDocuments {
  /** When the server was last told that a file changed (`performance.now()`), and what it had said by then, by count. */
  readonly lastSent: { readonly time: number; readonly count: number };
  /**
   * Tells the server of everything that changed since the last call, and has the files open, in the order of `paths`. Throws
   * `ToolError` for a file that is not there, is not text, or is too long.
   */
  sync(
    paths: readonly string[],
    workspace: Pick<Workspace, 'root' | 'files' | 'changes'>,
  ): Promise<OpenDocument[]>;
  /**
   * Has more files open beside those of the last `sync`, which reads what is open: only what is not is read, once. Those that cannot be
   * sent are left out.
   */
  open(paths: readonly string[], workspace: Pick<Workspace, 'root' | 'files'>): Promise<void>;
}

/** Longer files are not sent, in bytes. */
const longest = 4 * 1024 * 1024;
/** So many files are open at most; the one that was asked for longest ago is closed for another. */
const mostOpen = 120;

/** The address of a file of the workspace. */
export const uriOf = (root: string, path: string): string => pathToFileURL(`${root}/${path}`).href;

/** For one server that has just come up. `changedBefore`: how many changes of the run it finds on disk already. */
export function openDocuments(
  server: LanguageServer,
  languageOf: (path: string) => string,
  changedBefore: number,
): OpenDocuments {
  const open = new Map<string, OpenDocument>();
  let told = changedBefore;
  let turn: Promise<unknown> = Promise.resolve();
  let lastSent = { time: 0, count: 0 };
  const notify = (method: string, params: JsonObject) => {
    lastSent = { time: performance.now(), count: server.published.count };
    server.notify(method, params);
  };

  const close = ({ path, uri }: OpenDocument) => {
    notify('textDocument/didClose', { textDocument: { uri } });
    server.published.forget(uri);
    open.delete(path);
  };

  /** Sends what a file holds now; the document as the server has it then. */
  function send(path: string, text: string, root: string): OpenDocument {
    const before = open.get(path);
    // Sent again where what was said of it is not kept any more, so that it is said again.
    if (before?.text === text && !server.published.gaveWay(before.uri, before.sentAt)) {
      // The order is that of use.
      open.delete(path);
      open.set(path, before);
      return before;
    }
    const uri = before?.uri ?? uriOf(root, path);
    const version = (before?.version ?? 0) + 1;
    const document = { path, uri, version, text, sentAt: server.published.count };
    open.delete(path);
    open.set(path, document);
    if (before === undefined) {
      const languageId = languageOf(path);
      // It stood on disk before: what was said of other files holds.
      server.notify('textDocument/didOpen', { textDocument: { uri, languageId, version, text } });
    } else {
      notify('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [{ text }],
      });
      // It stands on disk already: what servers only do on saving is to be done.
      notify('textDocument/didSave', { textDocument: { uri }, text });
    }
    return document;
  }

  /** One after the other: what is open is read and sent by one call at a time. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = turn.then(work);
    turn = done.catch(() => undefined);
    return done;
  }

  function closeOldest(kept: readonly string[]) {
    for (const document of [...open.values()].slice(0, Math.max(0, open.size - mostOpen)))
      if (!kept.includes(document.path)) close(document);
  }

  async function tellOfChanges({ root, files, changes }: Pick<Workspace, 'root' | 'files' | 'changes'>) {
    const changed = [...new Set(changes.changedPaths.slice(told))];
    told = changes.changedPaths.length;
    if (changed.length === 0) return;
    const events = await Promise.all(
      changed.map(async (path) => {
        const there = await files.stat(path).catch(() => null);
        // Created, changed, deleted are 1, 2, 3; one that was created is taken for changed by none that looks.
        return { uri: uriOf(root, path), type: there === null ? 3 : open.has(path) ? 2 : 1 };
      }),
    );
    notify('workspace/didChangeWatchedFiles', { changes: events });
  }

  return {
    get lastSent() {
      return lastSent;
    },
    sync: (paths, workspace) =>
      inTurn(async () => {
        await tellOfChanges(workspace);
        for (const document of [...open.values()]) {
          if (paths.includes(document.path)) continue;
          const text = await unlessToolError(() => textOf(document.path, workspace));
          if (text === null) close(document);
          else if (text !== document.text) send(document.path, text, workspace.root);
        }
        const documents: OpenDocument[] = [];
        for (const path of paths) documents.push(send(path, await textOf(path, workspace), workspace.root));
        closeOldest(paths);
        return documents;
      }),
    open: (paths, workspace) =>
      inTurn(async () => {
        for (const path of paths) {
          const text = open.get(path)?.text ?? (await unlessToolError(() => textOf(path, workspace)));
          if (text !== null) send(path, text, workspace.root);
        }
        closeOldest(paths);
      }),
  };
}

/** The text of a file as tools read it: through no link that leads out. */
export async function textOf(path: string, { files }: Pick<Workspace, 'files'>): Promise<string> {
  const { bytes, size } = await files.read(path, longest);
  if (size > longest)
    throw new ToolError(
      'too_large',
      `${path} has ${size} bytes; language servers are sent files up to ${longest}. Use grep.`,
    );
  if (bytes.includes(0))
    throw new ToolError('invalid_input', `${path} is no text; language servers read text.`);
  const text = bytes.toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
