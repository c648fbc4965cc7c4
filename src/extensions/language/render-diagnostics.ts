import * as z from 'zod';
import type { Json } from '../../contract/json.ts';
import { visibleLine } from '../../tools/text/visible-text.ts';
import type { Diagnostic } from './diagnostic.ts';
import { type CheckedFile, ofSeverity, type SeverityFilter } from './read-diagnostics.ts';
import { numbersNote, renderPosition, resolveUri } from './resolve-uri.ts';

const order = ['error', 'warning', 'info', 'hint'] as const;
const longestMessage = 600;

/** Renders diagnostics by file, severity and line. */
export function renderDiagnostics(
  files: readonly CheckedFile[],
  {
    root,
    severity,
    limit,
  }: { readonly root: string; readonly severity: SeverityFilter; readonly limit: number },
): { readonly content: string; readonly data: Json } {
  const rows = files.flatMap(({ path, diagnostics }) =>
    [...ofSeverity(diagnostics, severity)].sort(bySeverity).map((one) => ({ path, one })),
  );
  const shown = rows.slice(0, limit);
  const lines = shown.map(({ path, one }) => renderLine(path, one, root));
  const counts = order.flatMap((kind) => {
    const count = rows.filter(({ one }) => one.severity === kind).length;
    return count === 0 ? [] : [`${count} ${kind}${count === 1 || kind === 'info' ? '' : 's'}`];
  });
  const pending = files.filter(({ state }) => state === 'none').map(({ path }) => path);
  const earlier = files.filter(({ state }) => state === 'earlier').map(({ path }) => path);
  const cut = files.filter(({ leftOut }) => leftOut > 0);
  // A file with omitted diagnostics is never reported as clean.
  const complete = files.filter(({ state, leftOut }) => state !== 'none' && leftOut === 0);
  const partly = cut.filter(({ diagnostics }) => diagnostics.length > 0);
  const [what, ofAny] =
    severity === 'any' ? ['diagnostics', ''] : [`${severity} diagnostics`, ' of any severity'];
  const heads =
    rows.length > 0
      ? [`${counts.join(', ')} in ${countFiles(files)}`]
      : [
          ...(complete.length === 0 ? [] : [`No ${what} in ${countFiles(complete)}.`]),
          ...(partly.length === 0 ? [] : [`No ${what} among the stored ones of ${countFiles(partly)}.`]),
        ];
  const content = [
    ...heads,
    ...lines,
    ...(rows.length > shown.length ? [`[${rows.length - shown.length} more; narrow path or severity]`] : []),
    ...(pending.length === 0
      ? []
      : [`[nothing known yet of ${listFew(pending)}; ask again with wait: true]`]),
    ...(earlier.length === 0 ? [] : [`[of an earlier text: ${listFew(earlier)}; ask again with wait: true]`]),
    ...(cut.length === 0
      ? []
      : [
          `[too many to keep: ${listFew(cut.map(({ path, leftOut }) => `${leftOut} more${ofAny} in ${path}`))}${files.length === 1 ? '' : '; ask for fewer files at once'}]`,
        ]),
    ...(lines.length === 0 ? [] : [numbersNote]),
  ].join('\n');
  const data = {
    files: files.map(({ path, server, state, leftOut }) => ({
      ...{ path, server, state },
      ...(leftOut > 0 ? { leftOut } : {}),
    })),
    diagnostics: shown.map(({ path, one: { range, severity: kind, code, source, message } }) => ({
      ...{ path, line: range.start.line, character: range.start.character, severity: kind, code, source },
      message: visibleLine(message, longestMessage),
    })),
    total: rows.length,
  };
  return { content, data };
}

const bySeverity = (a: Diagnostic, b: Diagnostic): number =>
  order.indexOf(a.severity) - order.indexOf(b.severity) ||
  a.range.start.line - b.range.start.line ||
  a.range.start.character - b.range.start.character;

function renderLine(
  path: string,
  { range, severity, code, source, message, related }: Diagnostic,
  root: string,
): string {
  const at = renderPosition({ shown: path, path }, range.start);
  const tag = [source, code].filter((part) => part !== null).join(' ');
  const [first] = related;
  const see =
    first === undefined
      ? ''
      : ` (see ${renderPosition(resolveUri(first.location.uri, root), first.location.range.start)}: ${visibleLine(first.message, 120)})`;
  return `${at} ${severity}${tag === '' ? '' : ` [${visibleLine(tag, 60)}]`}: ${visibleLine(message, longestMessage)}${see}`;
}

const countFiles = (files: readonly CheckedFile[]): string =>
  files.length === 1 ? (files[0]?.path ?? '') : `${files.length} files`;

const listFew = (paths: readonly string[]): string =>
  paths.length <= 5 ? paths.join(', ') : `${paths.slice(0, 5).join(', ')} and ${paths.length - 5} more`;

/** The filter for severities; accepts the names that other tools use. */
export const severityFilter = z.preprocess(
  (value) => {
    if (value === null || value === '' || value === 'all') return 'any';
    if (typeof value !== 'string') return value;
    const word = value.toLowerCase();
    return word === 'information' ? 'info' : word.replace(/^(error|warning|hint)s$/, '$1');
  },
  z.enum(['any', 'error', 'warning', 'info', 'hint']).default('any'),
);
