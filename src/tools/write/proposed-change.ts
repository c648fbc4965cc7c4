import { ToolError } from '../../contract/errors.ts';
import type { Json } from '../../contract/json.ts';
import { type FileStates, unifiedDiffs } from '../../workspace/changes/unified-diff.ts';
import type { Prepared, ToolContext, ToolOutput } from '../tool.ts';
import type { FormattedChange } from './format-change.ts';
import { readForChange } from './read-for-change.ts';
import type { Verification } from './verify-change.ts';

/** One file before and after a change; null if it does not exist. */
export interface ProposedFile extends FileStates {
  /** True if permission bits were requested, not only preserved. */
  readonly setsMode?: boolean;
}

/**
 * A verified change that is not yet made: the gate evaluates it, people see it, and it is written
 * unless a file has changed since.
 */
export class ProposedChange {
  readonly files: readonly ProposedFile[];
  /** Message for the model after the change. */
  readonly message: string;
  readonly data: { readonly [key: string]: Json };

  constructor(files: readonly ProposedFile[], message: string, data: { readonly [key: string]: Json }) {
    this.files = files;
    this.message = message;
    this.data = data;
  }

  /** Converts to the gate's form. `what` names every path. */
  prepared(): Prepared {
    const paths = this.paths();
    return {
      targets: { what: paths.join(', '), paths: paths.map((path) => ({ path, access: 'write' as const })) },
      diff: unifiedDiffs(this.files).join(''),
      state: this,
    };
  }

  /** Returns every path that is written or removed, once each. */
  paths(): string[] {
    const all = this.files.flatMap((file) =>
      file.oldPath === undefined ? [file.path] : [file.oldPath, file.path],
    );
    return [...new Set(all)];
  }
}

/**
 * Makes a proposed change, all or nothing. Formats it before and checks it after, if enabled.
 * Throws `ToolError('changed_since_read')` if one of its files has changed since.
 */
export async function makeProposedChange(
  prepared: Prepared | undefined,
  context: ToolContext,
  tool: string,
): Promise<ToolOutput> {
  const change = prepared?.state;
  if (!(change instanceof ProposedChange))
    throw new TypeError(`${tool} was executed without its prepare step`);
  const { files, notes, formattedBy } = await formatted(change.files, context);
  const writes = files.map((file) => ({
    path: file.path,
    content: file.after?.content ?? null,
    ...(file.after !== null && file.setsMode === true ? { mode: file.after.mode } : {}),
  }));
  for (const file of files) {
    const current = await readForChange(context.workspace, file.path);
    if (sameContent(current?.content, file.before?.content)) continue;
    throw new ToolError(
      'changed_since_read',
      `${file.path} changed while this call waited. Nothing was written. Read it again and repeat the edit.`,
    );
  }
  const changes = await context.workspace.changes.apply(writes, { tool, callId: context.callId });
  for (const { path, after } of files) {
    if (after !== null) context.workspace.memory.saw(path, after.content);
  }
  let checked: Verification = unverified;
  try {
    checked = await verified(files, context);
  } finally {
    // Recorded even if the check was aborted, as the files were written.
    for (const made of changes) {
      const validation = checked.validation.get(made.path) ?? made.validation;
      context.record({ type: 'change', change: { ...made, validation } });
    }
  }
  return {
    content: [change.message, ...notes, ...checked.notes].join('\n\n'),
    data: {
      ...change.data,
      ...(Object.keys(formattedBy).length === 0 ? {} : { formatted: formattedBy }),
      ...checked.data,
      changes: changes.map(({ path, kind }) => ({ path, kind })),
    },
  };
}

const unverified: Verification = { notes: [], data: {}, validation: new Map() };

async function formatted(
  files: readonly ProposedFile[],
  context: ToolContext,
): Promise<FormattedChange<ProposedFile>> {
  if (!context.editChecks.format) return { files, notes: [], formattedBy: {} };
  const { formatChange } = await import('./format-change.ts');
  return formatChange(files, context);
}

async function verified(files: readonly ProposedFile[], context: ToolContext): Promise<Verification> {
  if (!context.editChecks.verify) return unverified;
  const { verifyChange } = await import('./verify-change.ts');
  return verifyChange(files, context);
}

function sameContent(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.equals(b);
}
