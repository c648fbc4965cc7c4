import { fileURLToPath } from 'node:url';
import { ToolError } from '../../contract/errors.ts';
import { isJsonObject, type Json } from '../../contract/json.ts';
import { append } from '../../contract/lists.ts';
import { monotonicMs } from '../../contract/monotonic-ms.ts';
import type { RequestLimits } from '../protocol/message-lines.ts';
import { collectResults } from './collect-results.ts';
import {
  budgetAfter,
  type Diagnostic,
  type DiagnosticSeverity,
  fitBudget,
  readDiagnostics,
  type StoredDiagnostics,
  storedMessage,
  totalBudget,
} from './diagnostic.ts';
import type { LanguageCall, LanguageServers, ServerInUse } from './language-run.ts';
import type { LanguageServer } from './language-server.ts';
import type { OpenDocument } from './open-documents.ts';
import type { Range } from './protocol-values.ts';
import { ServerEnded } from './server-ended.ts';

/** Diagnostics of one file. */
export interface CheckedFile extends StoredDiagnostics {
  readonly path: string;
  readonly server: string;
  /** `fresh`: of the file as it is. `earlier`: of a text before. `none`: nothing came yet. */
  readonly state: 'fresh' | 'earlier' | 'none';
}

/** Milliseconds of silence after a report, as types follow syntax. */
const silenceMs = 400;
/** Milliseconds after a change in which a server may revise reports on other files. */
const revisionMs = 2_000;
/** Time-out without `waitMs`, in milliseconds. */
const shortWaitMs = 1_500;

/**
 * The diagnostics of files that share a server, in the order of `paths`. Servers that answer
 * requests are asked. Others are listened to: with `waitMs` until they report on every current
 * file, otherwise for a moment. Throws `ToolError` if no server stays up.
 */
export async function diagnoseFiles(
  paths: readonly string[],
  servers: LanguageServers,
  call: LanguageCall,
  waitMs: number | null,
): Promise<CheckedFile[]> {
  const [first] = paths;
  if (first === undefined) return [];
  return servers.withServer(first, call, async (used) => {
    const { server, documents } = used;
    const until = monotonicMs() + (waitMs ?? shortWaitMs);
    const open = await documents.sync(paths, call.workspace);
    // A server that has just come up registers what it can do while it loads.
    await server.ready(waitMs ?? shortWaitMs, call.signal);
    const left = () => Math.max(until - monotonicMs(), 2_000);
    const limits = () => ({ signal: call.signal, timeoutMs: left() });
    if (used.tsserver) return askEach(open, server, limits(), askTsserver);
    if (!answersRequests(server)) await waitForReports(open, used, call.signal, until);
    // Some servers register this only while they load.
    if (answersRequests(server)) return askEach(open, server, limits(), requestDiagnostics);
    return open.map((document) => publishedOf(document, server));
  });
}

const answersRequests = (server: LanguageServer): boolean =>
  server.can('diagnosticProvider', 'textDocument/diagnostic');

const noDiagnostics: StoredDiagnostics = { diagnostics: [], leftOut: 0 };

/** Requests diagnostics file by file, within a time and a budget; late files have none. */
async function askEach(
  open: readonly OpenDocument[],
  server: LanguageServer,
  { signal, timeoutMs }: RequestLimits,
  ask: (document: OpenDocument, server: LanguageServer, limits: RequestLimits) => Promise<StoredDiagnostics>,
): Promise<CheckedFile[]> {
  const until = monotonicMs() + timeoutMs;
  const checked: CheckedFile[] = [];
  let budget = totalBudget;
  for (const document of open) {
    const left = until - monotonicMs();
    const answer = left < 50 ? null : await unlessLate(ask(document, server, { signal, timeoutMs: left }));
    const state = answer === null ? 'none' : 'fresh';
    const { fitted, size } = fitBudget(budget, answer ?? noDiagnostics);
    budget = budgetAfter(budget, size);
    checked.push({ path: document.path, server: server.name, ...fitted, state });
  }
  return checked;
}

async function unlessLate<Value>(answer: Promise<Value>): Promise<Value | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ToolError && error.kind === 'timeout') return null;
    throw error;
  }
}

async function requestDiagnostics(
  { uri }: OpenDocument,
  server: LanguageServer,
  limits: RequestLimits,
): Promise<StoredDiagnostics> {
  const answer = await server.request('textDocument/diagnostic', { textDocument: { uri } }, limits);
  return readDiagnostics(isJsonObject(answer) ? answer.items : undefined);
}

/** True if the server has reported on the file as last sent. */
function hasReported({ uri, sentAt, version }: OpenDocument, { published }: LanguageServer): boolean {
  const report = published.of(uri);
  return report !== null && (report.version === null ? report.at > sentAt : report.version >= version);
}

function publishedOf(document: OpenDocument, server: LanguageServer): CheckedFile {
  const report = server.published.of(document.uri);
  const { diagnostics, leftOut } = report ?? noDiagnostics;
  const newest = hasReported(document, server) ? 'fresh' : 'earlier';
  const state = report === null ? 'none' : newest;
  return { path: document.path, server: server.name, diagnostics, leftOut, state };
}

/**
 * Waits until the server has reported on all files and stays silent, until it takes requests, or
 * until the time is up.
 */
async function waitForReports(
  open: readonly OpenDocument[],
  { server, documents }: ServerInUse,
  signal: AbortSignal,
  until: number,
): Promise<void> {
  signal.throwIfAborted();
  const done = Promise.withResolvers<void>();
  let silence: NodeJS.Timeout | undefined;
  // Reports from before a change count once the server had time to revise them.
  const isFinal = (document: OpenDocument) => {
    const { time, count } = documents.lastSent;
    const later = (server.published.of(document.uri)?.at ?? 0) > count;
    return hasReported(document, server) && (later || monotonicMs() - time > revisionMs);
  };
  const check = () => {
    if (server.ended !== null) done.reject(new ServerEnded(server.ended));
    if (answersRequests(server)) done.resolve();
    if (silence === undefined && open.every(isFinal)) silence = setTimeout(done.resolve, silenceMs);
  };
  const listener = () => {
    clearTimeout(silence);
    silence = undefined;
    check();
  };
  const onAbort = () => done.reject(signal.reason);
  // Earlier reports need no silence: nothing was sent since.
  if (open.every(isFinal) && monotonicMs() - documents.lastSent.time > revisionMs) done.resolve();
  const stopListening = server.published.listen(listener);
  const late = setTimeout(done.resolve, Math.max(0, until - monotonicMs()));
  // Neither an end of the server, nor what it registers, nor time is a message about files.
  const pulse = setInterval(check, 50);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    check();
    await done.promise;
  } finally {
    stopListening();
    clearTimeout(late);
    clearTimeout(silence);
    clearInterval(pulse);
    signal.removeEventListener('abort', onAbort);
  }
}

export type SeverityFilter = 'any' | DiagnosticSeverity;

export const ofSeverity = (
  diagnostics: readonly Diagnostic[],
  severity: SeverityFilter,
): readonly Diagnostic[] =>
  severity === 'any' ? diagnostics : diagnostics.filter((one) => one.severity === severity);

/**
 * The diagnostics of files with several servers, in the order of `paths`, requested in parallel.
 * Partial failures are lines in `failed`; if all fail, the first error is thrown.
 */
export async function checkSeveral(
  paths: readonly string[],
  servers: LanguageServers,
  call: LanguageCall,
  waitMs: number | null,
): Promise<{ readonly files: CheckedFile[]; readonly failed: readonly string[] }> {
  const keys = await servers.keysOf(paths, call);
  const groups = Map.groupBy(paths, (_, index) => keys[index] ?? '');
  const { values, failed } = await collectResults(
    [...groups.values()].map((group) => diagnoseFiles(group, servers, call, waitMs)),
  );
  const files = values.flat();
  const order = new Map(paths.map((path, index) => [path, index]));
  files.sort((a, b) => (order.get(a.path) ?? 0) - (order.get(b.path) ?? 0));
  return { files, failed };
}

/** Maximum diagnostics of syntax, and of types. */
const mostOfKind = 1_000;

/**
 * Requests diagnostics of TypeScript's own server through typescript-language-server. That one
 * never reports on files that stay without errors, so listening would wait in vain.
 */
export async function askTsserver(
  { uri }: OpenDocument,
  server: LanguageServer,
  limits: RequestLimits,
): Promise<StoredDiagnostics> {
  const file = fileURLToPath(uri);
  const diagnostics: Diagnostic[] = [];
  let leftOut = 0;
  for (const kind of ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync']) {
    const params = { command: 'typescript.tsserverRequest', arguments: [kind, { file }] };
    const answer = await server.request('workspace/executeCommand', params, limits);
    const body = isJsonObject(answer) ? answer.body : undefined;
    if (!Array.isArray(body)) continue;
    append(diagnostics, body.slice(0, mostOfKind).flatMap(readTsDiagnostic));
    leftOut += Math.max(0, body.length - mostOfKind);
  }
  return { diagnostics, leftOut };
}

const severities: Readonly<Record<string, Diagnostic['severity']>> = {
  error: 'error',
  warning: 'warning',
  message: 'info',
  suggestion: 'hint',
};

/** A diagnostic of tsserver's own protocol, which counts lines and columns from 1. */
function readTsDiagnostic(value: Json): Diagnostic[] {
  if (!isJsonObject(value) || typeof value.text !== 'string') return [];
  const range = readSpan(value);
  if (range === null) return [];
  const { code, category, text } = value;
  return [
    {
      range,
      severity: severities[String(category)] ?? 'error',
      message: storedMessage(text),
      code: typeof code === 'number' ? String(code) : null,
      source: 'ts',
      related: [],
    },
  ];
}

function readSpan({ start, end }: { readonly start?: Json; readonly end?: Json }): Range | null {
  const at = (place: Json | undefined) => {
    if (!isJsonObject(place)) return null;
    const { line, offset } = place;
    if (typeof line !== 'number' || typeof offset !== 'number') return null;
    return { line: Math.max(0, line - 1), character: Math.max(0, offset - 1) };
  };
  const [from, to] = [at(start), at(end)];
  return from === null || to === null ? null : { start: from, end: to };
}
