import { ToolError } from '../../contract/errors.ts';
import type { FilePatch } from './file-patch.ts';
import { isEnvelope, parseEnvelope } from './parse-envelope.ts';
import { parseUnified } from './parse-unified.ts';

/**
 * Parses a patch in either form: the `*** Begin Patch` envelope or a unified diff. Throws
 * `ToolError('invalid_patch')` with the problem, its location, and the expected form. `strip`:
 * number of leading folders to remove from a unified diff's names; null guesses.
 */
export function parsePatch(text: string, strip: number | null = null): FilePatch[] {
  const plain = unwrapped(text);
  const patches = isEnvelope(plain) ? parseEnvelope(plain) : parseUnified(plain, strip);
  if (patches.length > 0) return patches;
  throw new ToolError(
    'invalid_patch',
    'The patch changes no file. Give a unified diff (--- a/file, +++ b/file, @@ … @@), or *** Begin Patch … *** End Patch.',
  );
}

/**
 * Removes what models add around a patch: text, a Markdown fence, a here-document, line endings.
 */
function unwrapped(text: string): string {
  // The file's lines may end in either way; the patch's own header tells how it was transferred.
  const header = /^(?:diff --git|--- |@@|\*\*\* ).*$/m.exec(text)?.[0];
  const plain = header?.endsWith('\r') === true ? text.replaceAll('\r\n', '\n') : text;
  const trimmed = plain.trim();
  const fence = /^```[\w-]*\n(?<body>[\s\S]*?)\n```$/.exec(trimmed)?.groups?.body;
  if (fence !== undefined) return `${fence}\n`;
  const heredoc =
    /^(?:apply_?patch\s+)?<<-?\s*(?:'(?<a>\w+)'|"(?<b>\w+)"|(?<c>\w+))\n(?<body>[\s\S]*?)\n(?<end>\w+)$/.exec(
      trimmed,
    )?.groups;
  const word = heredoc?.a ?? heredoc?.b ?? heredoc?.c;
  if (heredoc?.body !== undefined && heredoc.end === word) return `${heredoc.body}\n`;
  return envelopeAmongWords(plain) ?? plain;
}

/**
 * Returns an envelope after some text, perhaps in a fence. Null if a diff or shell command comes
 * first.
 */
function envelopeAmongWords(text: string): string | null {
  const lines = text.split('\n');
  const begin = lines.findIndex((line) => line.trim() === '*** Begin Patch');
  if (begin <= 0) return null;
  if (lines.slice(0, begin).some((line) => /^(?:--- |\+\+\+ |@@|diff )|<</.test(line))) return null;
  const end = lines.findLastIndex((line) => line.trim() === '*** End Patch');
  return end < begin ? null : `${lines.slice(begin, end + 1).join('\n')}\n`;
}
