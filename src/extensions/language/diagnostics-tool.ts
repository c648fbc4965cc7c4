import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import { isCredentialPath } from '../../permissions/gate/credential-paths.ts';
import { integer } from '../../tools/input/lenient.ts';
import { listFiles } from '../../tools/search/list-files.ts';
import { rootsForGlob } from '../../tools/search/search-root.ts';
import { defineTool, type Tool } from '../../tools/tool.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { LanguageServers } from './language-run.ts';
import { checkSeveral } from './read-diagnostics.ts';
import { renderDiagnostics, severityFilter } from './render-diagnostics.ts';

/** Maximum files of one call; each is opened. */
const mostFiles = 100;
const longestWait = 60_000;

const input = z.object({
  path: z.preprocess((value) => value ?? undefined, z.string().min(1).default('.')),
  severity: severityFilter,
  limit: integer(z.int().positive().max(1_000)).default(200),
  wait_timeout_ms: integer(z.int().positive()).default(30_000).meta({ hidden: true }),
});

/** The tool for diagnostics of a folder. */
export function diagnosticsTool(servers: LanguageServers): Tool {
  return defineTool({
    name: 'diagnostics',
    argumentAliases: { file_path: 'path', directory: 'path', folder: 'path' },
    description: `Errors and warnings of language servers for a folder or the whole project, up to ${mostFiles} files.`,
    exposure: 'deferred',
    input,
    level: 'auto_read',
    targets: (args) => ({
      what: `diagnostics of ${args.path}`,
      paths: [{ path: args.path, access: 'read' }],
    }),
    async execute(args, context) {
      const { workspace } = context;
      const { files: found, more } = await filesBelow(args.path, workspace, {
        wanted: servers.knows,
        most: mostFiles,
        signal: context.signal,
      });
      if (found.length === 0)
        throw new ToolError(
          'not_found',
          `No file in ${args.path} is of a language that has a server here. Use bash with the project's own checks.`,
        );
      const waitMs = Math.min(args.wait_timeout_ms, longestWait);
      const { files, failed } = await checkSeveral(found, servers, context, waitMs);
      const { content, data } = renderDiagnostics(files, {
        root: workspace.root,
        severity: args.severity,
        limit: args.limit,
      });
      const over = more ? [`[only the first ${found.length} files were looked at; narrow path]`] : [];
      return { content: [content, ...failed, ...over].join('\n'), data };
    },
  });
}

/**
 * Lists files below a folder that are `wanted`, by name, without ignored ones. `more` is true
 * beyond `most`.
 */
async function filesBelow(
  folder: string,
  workspace: Workspace,
  {
    wanted,
    most,
    signal,
  }: { readonly wanted: (path: string) => boolean; readonly most: number; readonly signal: AbortSignal },
): Promise<{ readonly files: readonly string[]; readonly more: boolean }> {
  const { roots } = await rootsForGlob({ workspace, repositories: [] }, folder, undefined);
  const { paths } = await listFiles(workspace, roots, { hidden: false, signal });
  const files = paths.filter(
    (path) => !path.startsWith('../') && isCredentialPath(path) === null && wanted(path),
  );
  return { files: files.slice(0, most), more: files.length > most };
}
