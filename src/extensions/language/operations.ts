import { ToolError } from '../../contract/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../contract/json.ts';
import { pause } from '../../tools/registry/promise-limits.ts';
import { rootsForGlob } from '../../tools/search/search-root.ts';
import { searchText } from '../../tools/search/search-text.ts';
import { unlessToolError } from '../../workspace/files/unless-tool-error.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { LanguageCall, LanguageServers, ServerInUse } from './language-run.ts';
import type { LanguageServer } from './language-server.ts';
import type { OpenDocument } from './open-documents.ts';
import { type Position, readLocation, readLocations } from './protocol-values.ts';
import { findDefined } from './read-symbols.ts';
import { nameAt, type RequestedPosition, resolvePosition } from './resolve-position.ts';
import { lastName, namePartsOf } from './symbol-names.ts';

/** Time-out of a request in milliseconds; the first waits for the project to load. */
const answerMs = 45_000;
/** Milliseconds to wait for a server that loads; then it is asked anyway. */
const loadMs = 20_000;

/** Milliseconds to wait for the registration of a capability. */
const registrationMs = 250;

/** The method of each operation, and the capability it needs. */
const methods = {
  goToDefinition: ['textDocument/definition', 'definitionProvider'],
  findReferences: ['textDocument/references', 'referencesProvider'],
  hover: ['textDocument/hover', 'hoverProvider'],
  documentSymbol: ['textDocument/documentSymbol', 'documentSymbolProvider'],
  workspaceSymbol: ['workspace/symbol', 'workspaceSymbolProvider'],
  goToImplementation: ['textDocument/implementation', 'implementationProvider'],
  prepareCallHierarchy: ['textDocument/prepareCallHierarchy', 'callHierarchyProvider'],
  incomingCalls: ['callHierarchy/incomingCalls', 'callHierarchyProvider'],
  outgoingCalls: ['callHierarchy/outgoingCalls', 'callHierarchyProvider'],
} as const;

type LspOperation = keyof typeof methods;

/** The operations that ask about a position in a file. */
export type PositionOperation = Exclude<LspOperation, 'documentSymbol' | 'workspaceSymbol'>;

/** The answer of a server, with the position it is about. */
export interface Answer {
  readonly result: Json;
  /** The file's text and the position in it. */
  readonly text: string;
  readonly position: Position;
  readonly state: ServerState;
  /** Files that contain the name but were not opened, by count. */
  readonly unopened: number;
}

/** The state of a server after a request. */
export interface ServerState {
  /** True if it was still loading. */
  readonly partial: boolean;
  /** Its last errors and warnings. */
  readonly messages: readonly string[];
}

const stateOf = (server: LanguageServer): ServerState => ({
  partial: server.busy,
  messages: [...server.messages],
});

/** Asks about a place in a file. */
export async function askAtPosition(
  operation: PositionOperation,
  requested: RequestedPosition & { readonly path: string; readonly includeDeclaration: boolean },
  servers: LanguageServers,
  call: LanguageCall & { readonly workspace: Workspace },
): Promise<Answer> {
  const { path, includeDeclaration } = requested;
  return servers.withServer(path, call, async (used) => {
    const { server } = used;
    const document = await openReady(used, path, call);
    await requireCapability(server, operation, path, call);
    const defined = await definitionPosition(document, requested, server, call);
    const position = resolvePosition(document, requested, defined);
    const at = { textDocument: { uri: document.uri }, position: { ...position } };
    const everywhere = !used.indexesAll && (operation === 'findReferences' || operation === 'incomingCalls');
    const name = everywhere ? nameAt(document.text, position) : '';
    const { files, more } = await filesNaming({ name, path }, used, servers, call);
    if (files.length > 0) await used.documents.open([...files, path], call.workspace);
    const request: Request = (method, params) =>
      server.request(method, params, { signal: call.signal, timeoutMs: answerMs });
    const result = await resultAt(operation, at, request, !includeDeclaration && canDefine(server));
    return { text: document.text, position, unopened: more, result, state: stateOf(server) };
  });
}

type Request = (method: string, params: JsonObject) => Promise<Json>;

const canDefine = (server: LanguageServer): boolean =>
  server.can('definitionProvider', methods.goToDefinition[0]);

async function resultAt(
  operation: PositionOperation,
  at: JsonObject,
  request: Request,
  leavesOutDefinitions: boolean,
): Promise<Json> {
  if (operation === 'incomingCalls' || operation === 'outgoingCalls') {
    const items = await request(methods.prepareCallHierarchy[0], at);
    const [item] = Array.isArray(items) ? items : [];
    return isJsonObject(item) ? { item, calls: await request(methods[operation][0], { item }) } : null;
  }
  if (operation !== 'findReferences') return request(methods[operation][0], at);
  // Without declarations, some servers omit imports too, and some keep definitions of other files.
  const all = await request(methods.findReferences[0], { ...at, context: { includeDeclaration: true } });
  if (!leavesOutDefinitions) return all;
  return without(all, await unlessToolError(() => request(methods.goToDefinition[0], at)));
}

/** Places without those at which others begin. */
function without(places: Json, others: Json): Json {
  if (!Array.isArray(places)) return places;
  const begins = ({ uri, range }: { readonly uri: string; readonly range: { readonly start: Position } }) =>
    `${uri}\0${range.start.line}\0${range.start.character}`;
  const left = new Set(readLocations(others).map(begins));
  return places.filter((place) => {
    const location = readLocation(place);
    return location === null || !left.has(begins(location));
  });
}

/** Asks what a file defines. */
export async function askOfFile(
  path: string,
  servers: LanguageServers,
  call: LanguageCall,
): Promise<{ readonly result: Json; readonly state: ServerState }> {
  return servers.withServer(path, call, async (used) => {
    const document = await openReady(used, path, call);
    await requireCapability(used.server, 'documentSymbol', path, call);
    return { result: await symbolsOf(document, used.server, call), state: stateOf(used.server) };
  });
}

/** Asks the server of a file for symbols of the whole workspace. */
export async function askOfWorkspace(
  query: string,
  file: string,
  servers: LanguageServers,
  call: LanguageCall,
): Promise<{ readonly result: Json; readonly state: ServerState }> {
  return servers.withServer(file, call, async (used) => {
    // Some know no project before a file of it is open.
    await openReady(used, file, call);
    await requireCapability(used.server, 'workspaceSymbol', file, call);
    const result = await used.server.request(
      methods.workspaceSymbol[0],
      { query },
      { signal: call.signal, timeoutMs: answerMs },
    );
    return { result, state: stateOf(used.server) };
  });
}

async function openReady(
  { server, documents }: ServerInUse,
  path: string,
  call: LanguageCall,
): Promise<OpenDocument> {
  const [document] = await documents.sync([path], call.workspace);
  if (document === undefined) throw new TypeError('a file that was to be opened is not open');
  await server.ready(loadMs, call.signal);
  return document;
}

const symbolsOf = ({ uri }: OpenDocument, server: LanguageServer, { signal }: LanguageCall): Promise<Json> =>
  server.request(methods.documentSymbol[0], { textDocument: { uri } }, { signal, timeoutMs: answerMs });

/** The definition of a name given without a line; null if the server knows none. */
async function definitionPosition(
  document: OpenDocument,
  { symbol, line }: RequestedPosition,
  server: LanguageServer,
  call: LanguageCall,
): Promise<Position | null> {
  if (symbol === undefined || line !== undefined) return null;
  if (!server.can('documentSymbolProvider', methods.documentSymbol[0])) return null;
  const found = findDefined(await symbolsOf(document, server, call), namePartsOf(symbol));
  if (found === null) return null;
  // Some servers give the whole definition as its name.
  return resolvePosition(document, { line: found.line, symbol: lastName(symbol) });
}

async function requireCapability(
  server: LanguageServer,
  operation: LspOperation,
  path: string,
  { signal }: LanguageCall,
): Promise<void> {
  const [method, capability] = methods[operation];
  // Some say what they can do only after they were started.
  for (let waited = 0; waited < registrationMs && !server.can(capability, method); waited += 25) {
    await pause(25, signal);
  }
  if (server.can(capability, method)) return;
  throw new ToolError(
    'unavailable',
    `${server.name}, the language server for ${path}, cannot do ${operation}. It can do: ${listOperations(server)}. Use code_search or grep for the rest.`,
  );
}

function listOperations(server: LanguageServer): string {
  const names = Object.entries(methods)
    .filter(([, [method, capability]]) => server.can(capability, method))
    .map(([name]) => name);
  return [...names, 'diagnostics'].join(', ');
}

/** Reads a call hierarchy item and its calls; null if there is none. */
export function readCalls(
  result: Json,
): { readonly item: JsonObject; readonly calls: readonly JsonObject[] } | null {
  if (!isJsonObject(result) || !isJsonObject(result.item)) return null;
  const { item, calls } = result;
  return { item, calls: Array.isArray(calls) ? calls.filter(isJsonObject) : [] };
}

/** Maximum files opened for one request. */
const mostFiles = 60;
/** Maximum characters of a searched name. */
const longestName = 1_000;

/**
 * Finds up to 60 files that contain a name and that the server reads, except `path`; `more` counts
 * the rest. Servers search configured and open files only, so this finds tests that the
 * configuration omits.
 */
async function filesNaming(
  { name, path }: { readonly name: string; readonly path: string },
  { key, reads }: Pick<ServerInUse, 'key' | 'reads'>,
  servers: Pick<LanguageServers, 'keysOf'>,
  call: { readonly workspace: Workspace; readonly signal: AbortSignal },
): Promise<{ readonly files: readonly string[]; readonly more: number }> {
  if (name === '' || name.length > longestName) return { files: [], more: 0 };
  const { workspace, signal } = call;
  const { roots } = await rootsForGlob({ workspace, repositories: [] }, '.', undefined);
  const query = { pattern: name, regex: false, caseSensitive: true, wordMatch: true, glob: undefined };
  // The server knows what it knows without this, too.
  const searched = await unlessToolError(() =>
    searchText(workspace, roots, { ...query, maxMatches: 1, context: 0 }, { signal }),
  );
  const holding = [...new Set((searched?.lines ?? []).map((line) => line.path))].filter(
    (one) => one !== path && !one.startsWith('../') && reads(one),
  );
  const near = holding.slice(0, mostFiles);
  // Files of another project have another server.
  const keys = await servers.keysOf(near, call);
  return { files: near.filter((_, index) => keys[index] === key), more: holding.length - near.length };
}
