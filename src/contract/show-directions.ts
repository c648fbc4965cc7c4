/** Characters that turn the direction of what follows (Unicode Standard Annex 9, "Explicit Directional Embedding, Override, Isolate"). */
const turning = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * A text for a terminal or a log, where each character that turns the direction of what follows stands as its escape (`\u202e`), so
 * that what is read is what is there. JSON stays JSON of the same value.
 */
export function showDirections(text: string): string {
  return text.replaceAll(turning, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
}
