import { pathToFileURL } from 'node:url';
import type { MessageConnection } from 'vscode-jsonrpc/node';
import { isJsonObject, type Json, type JsonObject } from '../../contract/json.ts';
import { visibleLine } from '../../tools/text/visible-text.ts';
import { PublishedDiagnostics } from './published-diagnostics.ts';

/**
 * Client capabilities for `initialize`: positions in UTF-16, diagnostics on request if a server
 * supports that.
 */
const clientCapabilities: JsonObject = {
  general: { positionEncodings: ['utf-16'] },
  window: { workDoneProgress: true, showMessage: {} },
  workspace: {
    configuration: true,
    workspaceFolders: true,
    didChangeConfiguration: { dynamicRegistration: true },
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
    diagnostics: { refreshSupport: true },
    symbol: {},
  },
  textDocument: {
    synchronization: { dynamicRegistration: true, didSave: true },
    publishDiagnostics: { versionSupport: true, relatedInformation: true },
    diagnostic: { dynamicRegistration: true, relatedDocumentSupport: false },
    definition: { linkSupport: true },
    implementation: { linkSupport: true },
    references: {},
    hover: { contentFormat: ['markdown', 'plaintext'] },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    callHierarchy: {},
  },
};

/** Answers `workspace/configuration` from `settings`; unknown sections are empty objects. */
export function configurationAnswer(params: Json, settings: JsonObject): Json {
  const items = isJsonObject(params) ? params.items : undefined;
  if (!Array.isArray(items)) return [];
  return items.slice(0, 1_000).map((item) => {
    const section = isJsonObject(item) && typeof item.section === 'string' ? item.section : '';
    return section === '' ? settings : (valueAt(settings, section.split('.')) ?? {});
  });
}

function valueAt(value: Json, [first, ...rest]: readonly string[]): Json | undefined {
  if (first === undefined) return value;
  if (!isJsonObject(value) || !Object.hasOwn(value, first)) return undefined;
  return valueAt(value[first] ?? null, rest);
}

/** The one folder that a server works on, by its absolute path, as the protocol lists them. */
export const workspaceFolders = (folder: string): JsonObject[] => [
  { uri: pathToFileURL(folder).href, name: folder.slice(folder.lastIndexOf('/') + 1) },
];

/** Parameters of `initialize`; `folder` is the absolute path of the server's folder. */
export function initializeParams({
  folder,
  initializationOptions,
}: {
  readonly folder: string;
  readonly initializationOptions: Json | undefined;
}): JsonObject {
  const rootUri = pathToFileURL(folder).href;
  return {
    // It runs where our own number means nothing.
    processId: null,
    clientInfo: { name: 'anode' },
    locale: 'en',
    rootPath: folder,
    rootUri,
    workspaceFolders: workspaceFolders(folder),
    capabilities: clientCapabilities,
    ...(initializationOptions === undefined ? {} : { initializationOptions }),
  };
}

/** Maximum stored messages for users. */
const mostMessages = 5;
/** Maximum stored registrations, and progress tokens. */
const mostRegistered = 1_000;
const mostLoading = 100;
/** Maximum characters of an id, method or token. */
const longestName = 200;

/** Stored notifications of a server. */
export interface ServerNotices {
  readonly published: PublishedDiagnostics;
  /** The last errors and warnings that it had for people, a line each. */
  readonly messages: readonly string[];
  /** True if the server registered a method after its start. */
  registers(method: string): boolean;
  /** True while it reports that it loads. */
  readonly busy: boolean;
  /**
   * Resolves when it is idle, when it is signalled, or after a time-out. Rejects with the signal's
   * reason.
   */
  waitUntilIdle(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Ends all waits: nothing more will come. */
  endWaits(): void;
}

/** Handles notifications and requests of a server. None of them changes anything here. */
export function answerServer(
  connection: MessageConnection,
  {
    folder,
    settings,
  }: {
    /** The absolute path of the folder that it works on. */
    readonly folder: string;
    readonly settings: JsonObject;
  },
): ServerNotices {
  const published = new PublishedDiagnostics();
  const messages: string[] = [];
  const registered = new Map<string, string>();
  const loading = new Set<string>();
  const waiting = new Set<() => void>();
  const endWaits = () => signalAll(waiting);
  connection.onRequest('workspace/configuration', (params: Json): unknown =>
    configurationAnswer(params, settings),
  );
  connection.onRequest('workspace/workspaceFolders', () => workspaceFolders(folder));
  connection.onRequest('workspace/applyEdit', () => ({
    applied: false,
    failureReason: 'Nothing is changed by language servers here.',
  }));
  connection.onRequest('window/showMessageRequest', () => null);
  connection.onRequest('window/showDocument', () => ({ success: false }));
  connection.onRequest('window/workDoneProgress/create', () => null);
  connection.onRequest('client/registerCapability', (params: Json) => {
    for (const { id, method } of listed(params, 'registrations'))
      if (registered.size < mostRegistered && isName(id) && isName(method)) registered.set(id, method);
    return null;
  });
  connection.onRequest('client/unregisterCapability', (params: Json) => {
    // The misspelling is the protocol's.
    for (const { id } of listed(params, 'unregisterations'))
      if (typeof id === 'string') registered.delete(id);
    return null;
  });
  connection.onRequest('workspace/diagnostic/refresh', () => null);
  connection.onNotification('textDocument/publishDiagnostics', (params: Json) => published.take(params));
  connection.onNotification('$/progress', (params: Json) => {
    if (!isJsonObject(params) || !isJsonObject(params.value)) return;
    const token = String(params.token);
    if (params.value.kind === 'begin' && loading.size < mostLoading && isName(token)) loading.add(token);
    if (params.value.kind === 'end' && loading.delete(token) && loading.size === 0) endWaits();
  });
  for (const method of ['window/logMessage', 'window/showMessage'])
    connection.onNotification(method, (params: Json) => {
      // Errors and warnings; the rest is chatter.
      if (isJsonObject(params) && Number(params.type) <= 2 && typeof params.message === 'string')
        messages.push(visibleLine(params.message, 400));
      if (messages.length > mostMessages) messages.shift();
    });
  return {
    published,
    messages,
    registers: (method) => [...registered.values()].includes(method),
    get busy() {
      return loading.size > 0;
    },
    async waitUntilIdle(milliseconds, signal) {
      if (loading.size > 0) await signalled(waiting, milliseconds, signal);
    },
    endWaits,
  };
}

const isName = (value: Json | undefined): value is string =>
  typeof value === 'string' && value.length <= longestName;

function listed(params: Json, key: string): readonly JsonObject[] {
  const list = isJsonObject(params) ? params[key] : undefined;
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** Ends all waits. */
export function signalAll(waiting: ReadonlySet<() => void>): void {
  for (const resolve of [...waiting]) resolve();
}

/** Resolves when signalled or after a time-out. Rejects with the abort's reason. */
export async function signalled(
  waiting: Set<() => void>,
  milliseconds: number,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onAbort = () => reject(signal.reason);
  const timer = setTimeout(resolve, milliseconds);
  waiting.add(resolve);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await promise;
  } finally {
    waiting.delete(resolve);
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
