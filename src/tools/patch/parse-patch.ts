import { ToolError } from '../../contract/errors.ts';
import type { FilePatch } from './file-patch.ts';
import { isEnvelope, parseEnvelope } from './parse-envelope.ts';
import { parseUnified } from './parse-unified.ts';

/**
 * Reads a patch in either of its two forms, the `*** Begin Patch` envelope or a unified diff. Throws
 * `ToolError('invalid_patch')` with what is wrong, where, and how it should look.
 */
export function parsePatch(text: string): FilePatch[] {
  const plain = unwrapped(text);
  const patches = isEnvelope(plain) ? parseEnvelope(plain) : parseUnified(plain);
  if (patches.length > 0) return patches;
  throw new ToolError(
    'invalid_patch',
    'The patch changes no file. Give a unified diff (--- a/file, +++ b/file, @@ … @@), or *** Begin Patch … *** End Patch.',
  );
}

/** A patch without what models put around it: a Markdown fence, a here-document, line endings of transport. */
function unwrapped(text: string): string {
  const lines = text.split('\n');
  const crlf = lines.some((line) => /^(?:@@.*|\*\*\* .*|--- .*)\r$/.test(line));
  const plain = crlf ? text.replaceAll('\r\n', '\n') : text;
  const trimmed = plain.trim();
  const fence = /^```[\w-]*\n(?<body>[\s\S]*?)\n```$/.exec(trimmed)?.groups?.body;
  if (fence !== undefined) return `${fence}\n`;
  const heredoc =
    /^(?:apply_?patch\s+)?<<-?\s*(?:'(?<a>\w+)'|"(?<b>\w+)"|(?<c>\w+))\n(?<body>[\s\S]*?)\n(?<end>\w+)$/.exec(
      trimmed,
    )?.groups;
  const word = heredoc?.a ?? heredoc?.b ?? heredoc?.c;
  return heredoc?.body !== undefined && heredoc.end === word ? `${heredoc.body}\n` : plain;
}
