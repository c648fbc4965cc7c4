import * as z from 'zod';
import { invalidInput } from '../../contract/errors.ts';
import { isCredentialPath } from '../../permissions/gate/credential-paths.ts';
import { flag, integer, stringList, unlessNull } from '../../tools/input/lenient.ts';
import { defineTool, type Tool } from '../../tools/tool.ts';
import { collectResults } from './collect-results.ts';
import type { LanguageServers } from './language-run.ts';
import { checkSeveral } from './read-diagnostics.ts';
import { renderDiagnostics, severityFilter } from './render-diagnostics.ts';
import { ownPath } from './resolve-uri.ts';

const mostPaths = 100;
const mostRendered = 500;
const longestWait = 30_000;

const input = z.object({
  path: unlessNull(z.string().min(1)),
  paths: unlessNull(stringList()).describe(
    'Added to path. Default without both: the files that this run changed.',
  ),
  wait: flag().default(false).describe('Until they are of the files as they are now.'),
  wait_timeout_ms: integer(z.int().positive()).default(10_000),
  severity: severityFilter,
});

/** The tool for diagnostics of files. */
export function getDiagnosticsTool(servers: LanguageServers): Tool {
  return defineTool({
    name: 'get_diagnostics',
    argumentAliases: { file_path: 'path', files: 'paths', file: 'path', timeout_ms: 'wait_timeout_ms' },
    description: 'Errors and warnings of language servers for files: types, unresolved names, syntax.',
    exposure: 'deferred',
    input,
    level: 'auto_read',
    targets: (args) => {
      const paths = pathsOf(args);
      return {
        what: `diagnostics of ${paths.length === 0 ? 'changed files' : paths.join(', ')}`.slice(0, 500),
        paths: (paths.length === 0 ? ['.'] : paths).map((path) => ({ path, access: 'read' })),
      };
    },
    async execute(args, context) {
      const { workspace } = context;
      const given = pathsOf(args);
      const { paths, missing } =
        given.length === 0
          ? { paths: await changedFiles(servers, context), missing: [] }
          : await ownPaths(given, workspace);
      const waitMs = args.wait ? Math.min(args.wait_timeout_ms, longestWait) : null;
      const { files, failed } = await checkSeveral(
        [...new Set(paths)].slice(0, mostPaths),
        servers,
        context,
        waitMs,
      );
      const { content, data } = renderDiagnostics(files, {
        root: workspace.root,
        severity: args.severity,
        limit: mostRendered,
      });
      const over = paths.length > mostPaths ? [`[only the first ${mostPaths} of ${paths.length} files]`] : [];
      return {
        content: [content, ...failed, ...missing, ...over].filter((part) => part !== '').join('\n'),
        data,
      };
    },
  });
}

const pathsOf = ({ path, paths = [] }: z.output<typeof input>): string[] => [
  ...(path === undefined ? [] : [path]),
  ...paths,
];

/** Resolves named files. Problems are lines, thrown if no file is left. */
async function ownPaths(
  given: readonly string[],
  workspace: Parameters<typeof ownPath>[1],
): Promise<{ readonly paths: string[]; readonly missing: readonly string[] }> {
  const { values, failed } = await collectResults(given.map((path) => ownPath(path, workspace)));
  return { paths: values, missing: failed };
}

/** The files that the run has changed and that servers read, the newest change first. */
async function changedFiles(
  servers: LanguageServers,
  {
    workspace,
  }: {
    readonly workspace: Parameters<typeof ownPath>[1] & {
      readonly changes: { readonly changedPaths: readonly string[] };
    };
  },
): Promise<string[]> {
  const changed = [...new Set(workspace.changes.changedPaths.toReversed())].filter(
    (path) => servers.knows(path) && isCredentialPath(path) === null,
  );
  const existing = await Promise.all(
    changed
      .slice(0, mostPaths)
      .map(async (path) =>
        (await workspace.files.stat(path).catch(() => null))?.kind === 'file' ? path : null,
      ),
  );
  const paths = existing.filter((path) => path !== null);
  if (paths.length > 0) return paths;
  throw invalidInput(
    'This run has changed no file that a language server reads: name files by path or paths, or a folder for diagnostics.',
  );
}
