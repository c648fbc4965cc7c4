import * as z from 'zod';
import { invalidInput, ToolError } from '../../contract/errors.ts';
import type { Json } from '../../contract/json.ts';
import { flag, integer, unlessNull } from '../../tools/input/lenient.ts';
import { visibleLine } from '../../tools/text/visible-text.ts';
import { defineTool, type Tool, type ToolContext } from '../../tools/tool.ts';
import { collectResults } from './collect-results.ts';
import type { LanguageServers } from './language-run.ts';
import { askAtPosition, askOfFile, askOfWorkspace, type PositionOperation, readCalls } from './operations.ts';
import type { Position } from './protocol-values.ts';
import { diagnoseFiles } from './read-diagnostics.ts';
import { readSymbols, type ServerSymbol } from './read-symbols.ts';
import {
  type AnswerOptions,
  answerWithCalls,
  answerWithItems,
  answerWithPlaces,
  answerWithSymbols,
  type Rendered,
  renderHover,
} from './render-answers.ts';
import { renderDiagnostics } from './render-diagnostics.ts';
import { linesOfSource, nameAt } from './resolve-position.ts';
import { ownPath, resolveUri } from './resolve-uri.ts';
import { hasName, lastName, namePartsOf } from './symbol-names.ts';

const operations = [
  'goToDefinition',
  'findReferences',
  'hover',
  'documentSymbol',
  'workspaceSymbol',
  'goToImplementation',
  'diagnostics',
  'prepareCallHierarchy',
  'incomingCalls',
  'outgoingCalls',
] as const;

const mostResults = 1_000;
/** Milliseconds that `diagnostics` waits for a server that publishes by itself. */
const diagnosticsMs = 10_000;

const input = z.object({
  operation: z.preprocess(operationOf, z.enum(operations)),
  path: unlessNull(z.string().min(1)),
  line: unlessNull(integer(z.int().nonnegative())).describe('From 0: one less than read shows.'),
  character: unlessNull(integer(z.int().nonnegative())).describe('From 0.'),
  symbol: unlessNull(z.string().min(1).max(300)).describe(
    'The name there, in place of character, or of line too: safer than counting.',
  ),
  query: unlessNull(z.string()).describe('For workspaceSymbol.'),
  includeDeclaration: flag().default(false).describe('For findReferences.'),
  limit: integer(z.int().positive()).default(200),
});

type LspInput = z.output<typeof input>;

/** Other names that models use: the protocol's own, and short ones. */
const otherNames: Readonly<Record<string, (typeof operations)[number]>> = {
  definition: 'goToDefinition',
  references: 'findReferences',
  'workspace/symbol': 'workspaceSymbol',
  symbols: 'documentSymbol',
  documentsymbols: 'documentSymbol',
  workspacesymbols: 'workspaceSymbol',
  implementation: 'goToImplementation',
  findimplementations: 'goToImplementation',
  callhierarchy: 'prepareCallHierarchy',
  getdiagnostics: 'diagnostics',
  diagnostic: 'diagnostics',
  'workspace/diagnostic': 'diagnostics',
};

function operationOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const plain = value.toLowerCase().replaceAll(/^(?:textdocument|callhierarchy)\/|[\s_-]/g, '');
  const operation = operations.find((one) => one.toLowerCase() === plain);
  return operation ?? (Object.hasOwn(otherNames, plain) ? otherNames[plain] : value);
}

/**
 * Asks the language servers of a run. `names`: those that were found, for who looks what there is.
 */
export function lspTool(servers: LanguageServers, names: readonly string[] = []): Tool {
  const here = names.length === 0 ? '' : ` Here: ${names.join(', ')}.`;
  return defineTool({
    name: 'lsp',
    argumentAliases: {
      file_path: 'path',
      file: 'path',
      filePath: 'path',
      column: 'character',
      name: 'symbol',
      include_declaration: 'includeDeclaration',
    },
    description: `Ask a language server, which knows types: definitions, references, hover, symbols, implementations, diagnostics, call hierarchy. Name a place by path and symbol, or by line and character from 0.${here}`,
    exposure: 'deferred',
    input,
    level: 'auto_read',
    targets: (args) => ({
      what: [args.operation, args.symbol ?? args.query, args.path]
        .filter((part) => part !== undefined)
        .join(' '),
      paths: [{ path: args.path ?? '.', access: 'read' }],
    }),
    async execute(args, context) {
      const limit = Math.min(args.limit, mostResults);
      const { content, data } = await answer({ ...args, limit }, servers, context);
      return { content, data };
    },
  });
}

async function answer(args: LspInput, servers: LanguageServers, context: ToolContext): Promise<Rendered> {
  const { operation } = args;
  if (operation === 'workspaceSymbol') return ofWorkspace(args, servers, context);
  if (args.path === undefined && operation !== 'diagnostics' && args.symbol !== undefined)
    return ofNamed(args, args.symbol, servers, context);
  if (args.path === undefined)
    throw invalidInput(
      `${operation} needs path, the file to look at${operation === 'diagnostics' ? '; get_diagnostics takes several, diagnostics a folder' : ', or symbol'}.`,
    );
  const path = await ownPath(args.path, context.workspace);
  const shown = { workspace: context.workspace, limit: args.limit };
  if (operation === 'diagnostics') {
    const checked = await diagnoseFiles([path], servers, context, diagnosticsMs);
    return renderDiagnostics(checked, { root: context.workspace.root, severity: 'any', limit: args.limit });
  }
  if (operation === 'documentSymbol') {
    const { result, state } = await askOfFile(path, servers, context);
    return answerWithSymbols(`in ${path}`, readSymbols(result), { ...shown, state }, path);
  }
  const located = await askAtPosition(operation, { ...args, path }, servers, context);
  const { result, text, position, state, unopened } = located;
  return answerAt(operation, subjectAt(path, text, position), result, { ...shown, state, unopened });
}

/** Renders the answer to a question about a position. */
async function answerAt(
  operation: PositionOperation,
  subject: string,
  result: Json,
  options: AnswerOptions,
): Promise<Rendered> {
  switch (operation) {
    case 'goToDefinition':
      return answerWithPlaces(subject, 'definition', result, options);
    case 'goToImplementation':
      return answerWithPlaces(subject, 'implementation', result, options);
    case 'findReferences':
      return answerWithPlaces(subject, 'reference', result, options);
    case 'prepareCallHierarchy':
      return answerWithItems(subject, result, options);
    case 'hover': {
      const hover = renderHover(result);
      const content = hover === '' ? `Nothing is known of ${subject}.` : `${subject}\n${hover}`;
      return { content, data: { hover } };
    }
    case 'incomingCalls':
    case 'outgoingCalls': {
      const calls = readCalls(result);
      if (calls === null) return answerWithItems(subject, null, options);
      return answerWithCalls(subject, operation === 'incomingCalls' ? 'from' : 'to', calls, options);
    }
  }
}

/** Describes the requested position, so that the model notices a wrong number. */
function subjectAt(path: string, text: string, { line, character }: Position): string {
  const source = linesOfSource(text)[line] ?? '';
  const name = nameAt(text, { line, character });
  const there = name === '' ? '' : `${visibleLine(name, 80)} at `;
  return `${there}${path}:${line + 1}:${character + 1} (line ${line}, character ${character} from 0): ${visibleLine(source, 120)}`;
}

/** Finds symbols by name with every server. */
async function ofWorkspace(
  args: LspInput,
  servers: LanguageServers,
  context: ToolContext,
): Promise<Rendered> {
  const query = args.query ?? args.symbol;
  if (query === undefined) throw invalidInput('workspaceSymbol needs query: a name or the beginning of one.');
  const { symbols, state, failed } = await symbolsNamed(query, args.path, servers, context);
  const options = { workspace: context.workspace, limit: args.limit, state };
  const rendered = await answerWithSymbols(`for "${visibleLine(query, 80)}"`, symbols, options, null);
  return failed.length === 0 ? rendered : { ...rendered, content: [rendered.content, ...failed].join('\n') };
}

/** The failure of one server does not affect the others. */
async function symbolsNamed(
  query: string,
  path: string | undefined,
  servers: LanguageServers,
  context: ToolContext,
) {
  const files = path === undefined ? servers.samples() : [await ownPath(path, context.workspace)];
  if (files.length === 0)
    throw invalidInput(
      'No file of a language that has a server was found: give path, any file of the language to search.',
    );
  const { values, failed } = await collectResults(
    files.map((file) => askOfWorkspace(query, file, servers, context)),
  );
  return {
    symbols: values.flatMap(({ result }) => readSymbols(result)),
    state: {
      partial: values.some((one) => one.state.partial),
      messages: values.flatMap((one) => one.state.messages),
    },
    failed,
  };
}

/**
 * Answers a request for a name without a file, if the workspace has exactly one; otherwise lists
 * them.
 */
async function ofNamed(
  args: LspInput,
  symbol: string,
  servers: LanguageServers,
  context: ToolContext,
): Promise<Rendered> {
  const { symbols, state } = await symbolsNamed(lastName(symbol), undefined, servers, context);
  const found = findNamed(symbols, symbol, context.workspace.root);
  const [only] = found;
  if (found.length !== 1 || only === undefined) {
    const options = { workspace: context.workspace, limit: 20, state };
    const { content } = await answerWithSymbols(
      `named "${visibleLine(symbol, 80)}"`,
      found.map(({ symbol: one }) => one),
      options,
      null,
    );
    const remedy =
      found.length === 0
        ? 'Give path beside symbol, as not all names are known without it, or use grep.'
        : 'Say which: give path beside symbol.';
    throw new ToolError(found.length === 0 ? 'not_found' : 'invalid_input', `${content}\n${remedy}`);
  }
  return answer({ ...args, path: only.path, line: only.symbol.start.line }, servers, context);
}

/** Symbols of the workspace with an exact name (`Class.method`, `name`), with their files. */
export function findNamed(
  symbols: readonly ServerSymbol[],
  name: string,
  root: string,
): readonly { readonly symbol: ServerSymbol; readonly path: string }[] {
  const parts = namePartsOf(name);
  return symbols.flatMap((symbol) => {
    // Servers often give the containers of a workspace symbol as one name.
    if (!hasName({ name: symbol.name, within: symbol.within.flatMap(namePartsOf) }, parts)) return [];
    const path = symbol.uri === null ? null : resolveUri(symbol.uri, root).path;
    return path === null ? [] : [{ symbol, path }];
  });
}
