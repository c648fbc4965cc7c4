import { fileURLToPath } from 'node:url';
import { append } from '../../contract/append.ts';
import { isJsonObject, type Json } from '../../contract/json.ts';
import { type Diagnostic, type KeptDiagnostics, keptMessage } from './diagnostic.ts';
import type { LanguageServer } from './language-server.ts';
import type { OpenDocument } from './open-documents.ts';
import type { Range } from './protocol-values.ts';

/** So many of syntax are read, and so many of types. */
const mostOfKind = 1_000;

/**
 * Asks TypeScript's own server through typescript-language-server, which never speaks again of a file that has no errors before and after
 * a change: to listen would be to wait for nothing.
 */
export async function askTsserver(
  { uri }: OpenDocument,
  server: LanguageServer,
  asked: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<KeptDiagnostics> {
  const file = fileURLToPath(uri);
  const diagnostics: Diagnostic[] = [];
  let leftOut = 0;
  for (const kind of ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync']) {
    const params = { command: 'typescript.tsserverRequest', arguments: [kind, { file }] };
    const answer = await server.request('workspace/executeCommand', params, asked);
    const body = isJsonObject(answer) ? answer.body : undefined;
    if (!Array.isArray(body)) continue;
    append(diagnostics, body.slice(0, mostOfKind).flatMap(read));
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
function read(value: Json): Diagnostic[] {
  if (!isJsonObject(value) || typeof value.text !== 'string') return [];
  const range = readSpan(value);
  if (range === null) return [];
  const { code, category, text } = value;
  return [
    {
      range,
      severity: severities[String(category)] ?? 'error',
      message: keptMessage(text),
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
