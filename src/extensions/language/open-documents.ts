import { pathToFileURL } from 'node:url';
import { invalidInput, ToolError } from '../../contract/errors.ts';
import type { JsonObject } from '../../contract/json.ts';
import { monotonicMs } from '../../contract/monotonic-ms.ts';
import { unlessToolError } from '../../workspace/files/unless-tool-error.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { LanguageServer } from './language-server.ts';

/** An open file as last sent. */
export interface OpenDocument {
  readonly path: string;
  readonly uri: string;
  readonly version: number;
  readonly text: string;
  /** The count of published diagnostics when this version was sent. */
  readonly sentAt: number;
}

/** Maximum bytes of a file. */
const longest = 4 * 1024 * 1024;
/** Maximum open files; the one used longest ago is closed first. */
const mostOpen = 120;

/** The address of a file of the workspace. */
export const uriOf = (root: string, path: string): string => pathToFileURL(`${root}/${path}`).href;

type Checkout = Pick<Workspace, 'root' | 'files'>;

/** Keeps a server's files in step with the checkout. */
export class OpenDocuments {
  readonly #server: LanguageServer;
  readonly #languageOf: (path: string) => string;
  /** By path, the one that was used last at the end. */
  readonly #open = new Map<string, OpenDocument>();
  #reported: number;
  #turn: Promise<unknown> = Promise.resolve();
  #lastSent = { time: 0, count: 0 };

  /** For a server that has just started. `changedBefore` counts the run's changes so far. */
  constructor(server: LanguageServer, languageOf: (path: string) => string, changedBefore: number) {
    this.#server = server;
    this.#languageOf = languageOf;
    this.#reported = changedBefore;
  }

  /** The time of the last change sent (monotonic ms), and the count of reports then. */
  get lastSent(): { readonly time: number; readonly count: number } {
    return this.#lastSent;
  }

  /**
   * Sends all changes since the last call and opens files, in the order of `paths`. Throws
   * `ToolError` for a file that is missing, binary or too long.
   */
  sync(
    paths: readonly string[],
    workspace: Pick<Workspace, 'root' | 'files' | 'changes'>,
  ): Promise<OpenDocument[]> {
    return this.#inTurn(async () => {
      await this.#reportChanges(workspace);
      for (const document of [...this.#open.values()])
        if (!paths.includes(document.path)) await this.#refresh(document, workspace);
      const documents: OpenDocument[] = [];
      for (const path of paths)
        documents.push(this.#send(path, await textOf(path, workspace), workspace.root));
      this.#closeOldest(paths);
      return documents;
    });
  }

  /**
   * Opens more files beside those of the last `sync`, reading only new ones. Files that cannot be
   * sent are omitted.
   */
  open(paths: readonly string[], workspace: Checkout): Promise<void> {
    return this.#inTurn(async () => {
      for (const path of paths) {
        const text = this.#open.get(path)?.text ?? (await unlessToolError(() => textOf(path, workspace)));
        if (text !== null) this.#send(path, text, workspace.root);
      }
      this.#closeOldest(paths);
    });
  }

  /** Runs one call after the other, as each reads and sends what is open. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  #notify(method: string, params: JsonObject): void {
    this.#lastSent = { time: monotonicMs(), count: this.#server.published.count };
    this.#server.notify(method, params);
  }

  #close({ path, uri }: OpenDocument): void {
    this.#notify('textDocument/didClose', { textDocument: { uri } });
    this.#server.published.forget(uri);
    this.#open.delete(path);
  }

  #closeOldest(needed: readonly string[]): void {
    for (const document of [...this.#open.values()].slice(0, Math.max(0, this.#open.size - mostOpen)))
      if (!needed.includes(document.path)) this.#close(document);
  }

  async #refresh(document: OpenDocument, workspace: Checkout): Promise<void> {
    const text = await unlessToolError(() => textOf(document.path, workspace));
    if (text === null) this.#close(document);
    else if (text !== document.text) this.#send(document.path, text, workspace.root);
  }

  /** Sends the text of a file. Returns the document as the server has it then. */
  #send(path: string, text: string, root: string): OpenDocument {
    const before = this.#open.get(path);
    this.#open.delete(path);
    // If its diagnostics were dropped, it is sent again so that the server repeats them.
    if (before?.text === text && !this.#server.published.wasDropped(before.uri, before.sentAt)) {
      this.#open.set(path, before);
      return before;
    }
    const uri = before?.uri ?? uriOf(root, path);
    const version = (before?.version ?? 0) + 1;
    const document = { path, uri, version, text, sentAt: this.#server.published.count };
    this.#open.set(path, document);
    if (before === undefined) {
      const languageId = this.#languageOf(path);
      // The file was on disk before: diagnostics of other files are still valid.
      this.#server.notify('textDocument/didOpen', { textDocument: { uri, languageId, version, text } });
      return document;
    }
    this.#notify('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ text }],
    });
    // The file is on disk already, so checks that run on saving are due.
    this.#notify('textDocument/didSave', { textDocument: { uri }, text });
    return document;
  }

  async #reportChanges({ root, files, changes }: Pick<Workspace, 'root' | 'files' | 'changes'>) {
    const changed = [...new Set(changes.changedPaths.slice(this.#reported))];
    this.#reported = changes.changedPaths.length;
    if (changed.length === 0) return;
    const events = await Promise.all(
      changed.map(async (path) => {
        const exists = (await files.stat(path).catch(() => null)) !== null;
        // Servers that look at the disk treat a created file like a changed one.
        const type = this.#open.has(path) ? fileChange.changed : fileChange.created;
        return { uri: uriOf(root, path), type: exists ? type : fileChange.deleted };
      }),
    );
    this.#notify('workspace/didChangeWatchedFiles', { changes: events });
  }
}

/** `FileChangeType` of the protocol. */
const fileChange = { created: 1, changed: 2, deleted: 3 } as const;

/** The text of a file as tools read it: through no link that leads out. */
export async function textOf(path: string, { files }: Pick<Workspace, 'files'>): Promise<string> {
  const { bytes, size } = await files.read(path, longest);
  if (size > longest)
    throw new ToolError(
      'too_large',
      `${path} has ${size} bytes; language servers are sent files up to ${longest}. Use grep.`,
    );
  if (bytes.includes(0)) throw invalidInput(`${path} is no text; language servers read text.`);
  const text = bytes.toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
