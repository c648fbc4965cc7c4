import { ToolError } from '../../contract/errors.ts';
import type { FilePatch } from './file-patch.ts';
import { isEnvelope, parseEnvelope } from './parse-envelope.ts';
import { parseUnified } from './parse-unified.ts';

/**
 * Reads a patch in either of its two forms, the `*** Begin Patch` envelope or a unified diff. Throws
 * `ToolError('invalid_patch')` with what is wrong, where, and how it should look. `strip` is that of a unified
 * diff's names: how many leading folders to take off, or null to guess.
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

/** A patch without what models put around it: words, a Markdown fence, a here-document, line endings of transport. */
function unwrapped(text: string): string {
  // The lines of the file may end in either way; the patch's own tell how it was carried.
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

/** An envelope with words before it, perhaps in a fence; null where there is a diff, or a shell command, first. */
function envelopeAmongWords(text: string): string | null {
  const lines = text.split('\n');
  const begin = lines.findIndex((line) => line.trim() === '*** Begin Patch');
  if (begin <= 0) return null;
  if (lines.slice(0, begin).some((line) => /^(?:--- |\+\+\+ |@@|diff )|<</.test(line))) return null;
  const end = lines.findLastIndex((line) => line.trim() === '*** End Patch');
  return end < begin ? null : `${lines.slice(begin, end + 1).join('\n')}\n`;
}
