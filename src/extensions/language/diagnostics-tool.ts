import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import { integer } from '../../tools/input/integer.ts';
import { defineTool, type Tool } from '../../tools/tool.ts';
import { checkSeveral } from './check-several.ts';
import type { LanguageServers } from './language-run.ts';
import { renderDiagnostics } from './render-diagnostics.ts';
import { severityFilter } from './severity-filter.ts';
import { filesBelow } from './source-files-below.ts';

/** So many files are looked at in one call: each is opened. */
const mostFiles = 100;
const longestWait = 60_000;

const input = z.object({
  path: z.preprocess((value) => value ?? undefined, z.string().min(1).default('.')),
  severity: severityFilter,
  limit: integer(z.int().positive().max(1_000)).default(200),
  wait_timeout_ms: integer(z.int().positive()).default(30_000).meta({ hidden: true }),
});

/** What language servers say of a folder's files. */
export function diagnosticsTool(servers: LanguageServers): Tool {
  return defineTool({
    name: 'diagnostics',
    argumentAliases: { file_path: 'path', directory: 'path', folder: 'path' },
    description: `Errors and warnings of language servers for a folder or the whole project, up to ${mostFiles} files.`,
    exposure: 'deferred',
    input,
    level: 'auto_read',
    readOnly: true,
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
