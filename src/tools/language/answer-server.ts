import type { MessageConnection } from 'vscode-jsonrpc/node';
import { isJsonObject, type Json, type JsonObject } from '../../contract/json.ts';
import { oneLine } from '../text/visible-text.ts';
import { configurationAnswer, workspaceFolders } from './client-side.ts';
import type { Published } from './published-diagnostics.ts';

/** Hears what the server says, and answers what it asks; nothing it asks for changes anything here. */
export function answerServer(
  connection: MessageConnection,
  heard: {
    /** The absolute path of the folder that it works on. */
    readonly folder: string;
    readonly settings: JsonObject;
    /** What the server said for people: errors and warnings, a line each. */
    readonly log: (line: string) => void;
    readonly published: Published;
    readonly registered: Map<string, string>;
    readonly loading: Set<string>;
    readonly settled: () => void;
  },
): void {
  const { published, registered, loading } = heard;
  connection.onRequest('workspace/configuration', (params: Json): unknown =>
    configurationAnswer(params, heard.settings),
  );
  connection.onRequest('workspace/workspaceFolders', () => workspaceFolders(heard.folder));
  connection.onRequest('workspace/applyEdit', () => ({
    applied: false,
    failureReason: 'Nothing is changed by language servers here.',
  }));
  connection.onRequest('window/showMessageRequest', () => null);
  connection.onRequest('window/showDocument', () => ({ success: false }));
  connection.onRequest('window/workDoneProgress/create', () => null);
  connection.onRequest('client/registerCapability', (params: Json) => {
    for (const { id, method } of listed(params, 'registrations'))
      if (registered.size < 1_000 && typeof id === 'string' && typeof method === 'string')
        registered.set(id, method);
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
    if (params.value.kind === 'begin' && loading.size < 100) loading.add(token);
    if (params.value.kind === 'end' && loading.delete(token) && loading.size === 0) heard.settled();
  });
  for (const method of ['window/logMessage', 'window/showMessage'])
    connection.onNotification(method, (params: Json) => {
      // Errors and warnings; the rest is chatter.
      if (isJsonObject(params) && Number(params.type) <= 2 && typeof params.message === 'string')
        heard.log(oneLine(params.message, 400));
    });
}

function listed(params: Json, key: string): readonly JsonObject[] {
  const list = isJsonObject(params) ? params[key] : undefined;
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}
