import { invalidInput } from '../../contract/errors.ts';

/**
 * Placeholder lines: `// ... rest of the code`, `# … existing code unchanged`, `(rest of methods
 * ...)`.
 */
const placeholder =
  /^[^\w"'`]*(?:(?:\.{3}|…)\W*)?(?:(?:the )?(?:rest|remainder) of (?:the |this )?(?:\w+ ?){1,3}|(?:(?:all )?(?:the )?(?:other |remaining |existing |previous |unchanged )+(?:code|methods?|functions?|implementation|content|lines?)))(?: ?(?:here|unchanged|stays? the same|remains? unchanged|as before))*\W*$/i;
/** File types in which such a line may be literal. */
const prose = /\.(?:mdx?|markdown|rst|adoc|txt)$/i;

/**
 * Refuses new text with a placeholder line for omitted code, if the old text has no such line. It
 * would replace that code. Throws `ToolError('invalid_input')`.
 */
export function refuseOmission(path: string, before: string, after: string): void {
  if (prose.test(path) || !/\.{3}|…/.test(after)) return;
  const known = new Set(before.split('\n').map((line) => line.trim()));
  const added = after
    .split('\n')
    .map((line) => line.trim())
    .find((line) => isPlaceholder(line) && !known.has(line));
  if (added === undefined) return;
  throw invalidInput(
    `The new text of ${path} has the line "${added}" in place of code, which would be written literally. Give all the lines, or change less.`,
  );
}

function isPlaceholder(line: string): boolean {
  return line.length < 100 && /\.{3}|…/.test(line) && placeholder.test(line);
}
