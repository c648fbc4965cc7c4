import { Preset } from '../contract/levels.ts';
import { nearestKey } from './nearest-key.ts';

/** The words that name a preset: `yolo` is `unrestricted`. */
const presetNames: readonly string[] = [...Preset.options, 'yolo'];

/**
 * The end of a sentence for an unknown preset, with the known and the nearest ones; null for a
 * known preset. The author can correct it here; elsewhere an unknown word counts as `strict`
 * (`presetFrom`).
 */
export function presetProblem(word: string): string | null {
  if (presetNames.includes(word)) return null;
  const near = nearestKey(word, Preset.options);
  return `there is no preset "${word}": it is strict, careful or unrestricted${near === null ? '' : `; the nearest is ${near}`}`;
}
