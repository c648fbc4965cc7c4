import { isJsonObject, type Json } from '../../contract/json.ts';
import { visibleText } from '../../tools/text/visible-text.ts';

const longest = 20_000;

/** What a server says of a symbol, as Markdown; empty where it says nothing. */
export function renderHover(result: Json): string {
  const contents = isJsonObject(result) ? result.contents : null;
  const parts = (Array.isArray(contents) ? contents : [contents]).slice(0, 50).map((part) => {
    if (typeof part === 'string') return part;
    if (!isJsonObject(part) || typeof part.value !== 'string') return '';
    // A marked string has its language beside it.
    return typeof part.language === 'string' ? `\`\`\`${part.language}\n${part.value}\n\`\`\`` : part.value;
  });
  const text = visibleText(
    parts
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .join('\n\n')
      // Some keep what is set in with these, for pages.
      .replaceAll('&nbsp;', ' ')
      .slice(0, longest),
  );
  return text.length >= longest ? `${text}\n[cut]` : text;
}
