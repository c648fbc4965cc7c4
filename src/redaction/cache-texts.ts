/**
 * Caches the results of a function of a text: of the last `texts` texts with at most `characters`
 * characters.
 */
export function cacheTexts(
  compute: (text: string) => string,
  { texts, characters }: { readonly texts: number; readonly characters: number },
): (text: string) => string {
  const results = new Map<string, string>();
  return (text) => {
    const cached = results.get(text);
    if (cached !== undefined) return cached;
    const result = compute(text);
    if (text.length > characters) return result;
    const [oldest] = results.keys();
    if (results.size === texts && oldest !== undefined) results.delete(oldest);
    results.set(text, result);
    return result;
  };
}
