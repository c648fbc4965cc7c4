import { Preset } from '../contract/levels.ts';
import { nearestKey } from './nearest-key.ts';

/** The words that name a preset: `yolo` is `unrestricted`. */
const presetNames: readonly string[] = [...Preset.options, 'yolo'];

/**
 * A sentence's end on a word that names no preset, with all that do and the nearest; null for one
 * that does. Whoever wrote the word can mend it: elsewhere an unknown word is taken for `strict`
 * (`presetFrom`).
 */
export function presetProblem(word: string): string | null {
  if (presetNames.includes(word)) return null;
  const near = nearestKey(word, presetNames);
  return `there is no preset "${word}": it is strict, careful or unrestricted (or yolo)${near === null ? '' : `; the nearest is ${near}`}`;
}
