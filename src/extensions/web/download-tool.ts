import { createHash } from 'node:crypto';
import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import { flag, integer } from '../../tools/input/lenient.ts';
import { defineTool, type Tool, type ToolContext } from '../../tools/tool.ts';
import { makeProposedChange, ProposedChange } from '../../tools/write/proposed-change.ts';
import { type CurrentFile, readForChange } from '../../tools/write/read-for-change.ts';
import { formatBytes, redirectNotice, requireSuccess } from './show-answer.ts';
import { urlInput } from './url-input.ts';
import type { WebServices } from './web-services.ts';

/** Bytes of a file at most. */
const mostFileBytes = 50 * 1024 ** 2;

const input = z.object({
  url: urlInput(),
  path: z.string().min(1).describe('where to keep it in the workspace'),
  overwrite: flag().default(false),
  sha256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/)
    .optional()
    .describe('the digest it has to have'),
  timeout: integer(z.int().positive().max(600)).default(60).describe('seconds'),
});

/** The tool that saves the response of a URL as a file of the workspace. */
export function downloadTool({ access }: Pick<WebServices, 'access'>): Tool {
  return defineTool({
    name: 'download',
    argumentAliases: { file_path: 'path', output: 'path', timeout_seconds: 'timeout' },
    description: 'Keep a file of the web in the workspace. Give sha256 where the digest is known.',
    exposure: 'deferred',
    input,
    level: 'confirm_write',
    targets: ({ url, path }) => ({
      what: `${url} to ${path}`,
      urls: [url],
      paths: [{ path, access: 'write' }],
    }),
    async execute({ url, path: given, overwrite, sha256, timeout }, context) {
      const path = context.workspace.files.relative(given);
      // Checked first: no request for a file that cannot be written.
      const before = await mayBeWritten(context, path, overwrite);
      const answer = await access.ask(
        { url, timeoutSeconds: timeout, mostBytes: mostFileBytes },
        context.signal,
      );
      const elsewhere = redirectNotice(answer, 'download');
      if (elsewhere !== null) return { content: elsewhere, data: { status: answer.status } };
      requireSuccess(answer, answer.bytes.subarray(0, 2_000).toString('utf8'));
      const digest = createHash('sha256').update(answer.bytes).digest('hex');
      if (sha256 !== undefined && digest !== sha256.toLowerCase())
        throw new ToolError(
          'wrong_digest',
          `${url} has the SHA-256 digest ${digest}, not the one that was given. Nothing was saved.`,
        );
      const size = formatBytes(answer.bytes.length);
      const change = new ProposedChange(
        [{ path, before, after: { content: answer.bytes, mode: before?.mode ?? 0o644 } }],
        `Saved ${url} as ${path} (${size}, SHA-256 ${digest}).`,
        { url, path, bytes: answer.bytes.length, sha256: digest },
      );
      // Stored unchanged, without formatting or checks.
      const asItIs = { ...context, editChecks: { ...context.editChecks, format: false, verify: false } };
      return makeProposedChange(change.prepared(), asItIs, 'download');
    },
  });
}

async function mayBeWritten(
  { workspace }: ToolContext,
  path: string,
  overwrite: boolean,
): Promise<CurrentFile | null> {
  const before = await readForChange(workspace, path);
  if (before !== null && !overwrite)
    throw new ToolError('file_exists', `${path} exists already. Choose another path, or set overwrite.`);
  if (before !== null) workspace.memory.check(path, before.content);
  return before;
}
