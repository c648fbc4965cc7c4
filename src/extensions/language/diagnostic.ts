import { isJsonObject, type Json } from '../../contract/json.ts';
import { type Location, type Range, readLocation, readRange } from './protocol-values.ts';

/** Maximum diagnostics of one file. */
const mostOfFile = 1_000;
/** Maximum characters of a message, a name and an address. */
const longestMessage = 2_000;
const longestName = 200;
const longestUri = 4_096;

export type DiagnosticSeverity = 'error' | 'warning' | 'info' | 'hint';

/** A diagnostic of a server. */
export interface Diagnostic {
  readonly range: Range;
  readonly severity: DiagnosticSeverity;
  readonly message: string;
  readonly code: string | null;
  readonly source: string | null;
  readonly related: readonly { readonly location: Location; readonly message: string }[];
}

/** The stored diagnostics of one file. */
export interface StoredDiagnostics {
  readonly diagnostics: readonly Diagnostic[];
  /** Diagnostics that are not stored, by count. */
  readonly leftOut: number;
}

const severities: readonly DiagnosticSeverity[] = ['error', 'warning', 'info', 'hint'];

/** Reads diagnostics. Invalid ones are omitted; without a severity they count as errors. */
export function readDiagnostics(value: Json | undefined): StoredDiagnostics {
  if (!Array.isArray(value)) return { diagnostics: [], leftOut: 0 };
  const diagnostics = value.slice(0, mostOfFile).flatMap((one) => {
    if (!isJsonObject(one)) return [];
    const range = readRange(one.range);
    const message = isJsonObject(one.message) ? one.message.value : one.message;
    if (range === null || typeof message !== 'string') return [];
    const { code, source } = one;
    const related = Array.isArray(one.relatedInformation) ? one.relatedInformation.slice(0, 10) : [];
    return [
      {
        range,
        severity: severities[Number(one.severity) - 1] ?? 'error',
        message: storedMessage(message),
        code: typeof code === 'string' || typeof code === 'number' ? cut(String(code), longestName) : null,
        source: typeof source === 'string' ? cut(source, longestName) : null,
        related: related.flatMap((info) => {
          if (!isJsonObject(info) || typeof info.message !== 'string') return [];
          const location = readLocation(info.location);
          if (location === null || location.uri.length > longestUri) return [];
          return [{ location, message: cut(info.message, longestName) }];
        }),
      },
    ];
  });
  return { diagnostics, leftOut: Math.max(0, value.length - mostOfFile) };
}

/** Cuts a message to its stored length. */
export const storedMessage = (text: string): string => cut(text, longestMessage);

/** The beginning of a text, as a copy: a slice would keep the whole text in memory. */
const cut = (text: string, most: number): string =>
  text.length <= most ? text : Buffer.from(text.slice(0, most)).toString();

/**
 * The size of diagnostics, or a budget for them: their number, with related places counted too, and
 * the bytes of their texts.
 */
export interface DiagnosticBudget {
  readonly count: number;
  readonly bytes: number;
}

/** The budget for all files of a server. */
export const totalBudget: DiagnosticBudget = { count: 20_000, bytes: 16 * 1024 * 1024 };

export const budgetAfter = (budget: DiagnosticBudget, size: DiagnosticBudget): DiagnosticBudget => ({
  count: budget.count - size.count,
  bytes: budget.bytes - size.bytes,
});

/** Returns as many diagnostics as fit, with their size; the rest count as omitted. */
export function fitBudget(
  budget: DiagnosticBudget,
  { diagnostics, leftOut }: StoredDiagnostics,
): { readonly fitted: StoredDiagnostics; readonly size: DiagnosticBudget } {
  let size: DiagnosticBudget = { count: 0, bytes: 0 };
  for (const [index, one] of diagnostics.entries()) {
    const more = sizeOf(one);
    const sum = { count: size.count + more.count, bytes: size.bytes + more.bytes };
    if (sum.count > budget.count || sum.bytes > budget.bytes) {
      const fitted = {
        diagnostics: diagnostics.slice(0, index),
        leftOut: leftOut + diagnostics.length - index,
      };
      return { fitted, size };
    }
    size = sum;
  }
  return { fitted: { diagnostics, leftOut }, size };
}

function sizeOf({ message, code, source, related }: Diagnostic): DiagnosticBudget {
  const texts = [
    ...[message, code ?? '', source ?? ''],
    ...related.flatMap((one) => [one.message, one.location.uri]),
  ];
  return {
    count: 1 + related.length,
    bytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
  };
}
