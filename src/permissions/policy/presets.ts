import type { Preset } from '../../contract/levels.ts';

/**
 * The preset a word names: `yolo` is `unrestricted`; anything unknown is `strict`, so that a misspelt word
 * never opens more than was meant.
 */
export function presetFrom(word: string): Preset {
  if (word === 'unrestricted' || word === 'yolo') return 'unrestricted';
  return word === 'careful' ? 'careful' : 'strict';
}
