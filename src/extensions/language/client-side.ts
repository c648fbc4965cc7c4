import { pathToFileURL } from 'node:url';
import { isJsonObject, type Json, type JsonObject } from '../../contract/json.ts';

/** What we can do, for `initialize`: positions in UTF-16, as JavaScript counts; diagnostics by asking where a server takes that. */
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

/** The answer to `workspace/configuration`: of each section asked for what `settings` has, else an empty object. */
export function configurationAnswer(params: Json, settings: JsonObject): Json {
  const items = isJsonObject(params) ? params.items : undefined;
  if (!Array.isArray(items)) return [];
  return items.slice(0, 1_000).map((item) => {
    const section = isJsonObject(item) && typeof item.section === 'string' ? item.section : '';
    return section === '' ? settings : (at(settings, section.split('.')) ?? {});
  });
}

function at(value: Json, [first, ...rest]: readonly string[]): Json | undefined {
  if (first === undefined) return value;
  if (!isJsonObject(value) || !Object.hasOwn(value, first)) return undefined;
  return at(value[first] ?? null, rest);
}

/** The one folder that a server works on, by its absolute path, as the protocol lists them. */
export const workspaceFolders = (folder: string): JsonObject[] => [
  { uri: pathToFileURL(folder).href, name: folder.slice(folder.lastIndexOf('/') + 1) },
];

/** What a server is told first, the parameters of `initialize`; `folder` is the absolute path of the folder that it works on. */
export function introduction({
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
