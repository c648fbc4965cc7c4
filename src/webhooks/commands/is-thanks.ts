import { isPraise, isThankful, saysNothing } from './thanks-phrases.ts';

/** Maximum characters of a comment that only thanks. */
const longest = 200;

/** Lines of a quote, and pictures: they add nothing to thanks. */
const besideText = /^[ \t]{0,3}>.*$|!\[[^\]\n]{0,200}\]\([^)\n]{0,500}\)/gmu;
const mention = /(?<![\p{L}\p{N}_./@-])@[A-Za-z0-9](?:[A-Za-z0-9-]{0,60})(?:\[bot\])?/gu;
/** Emoji, and their names in colons. */
const emoji = /:[a-z0-9_+-]{1,40}:|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{200D}|\u{FE0F}|\u{20E3}/gu;
/** Emoji that thank or praise. */
const kindEmoji =
  /:(?:\+1|thumbsup|heart|pray|tada|rocket|clap|100|fire|star|sparkles|raised_hands|muscle|ok_hand):|[👍❤🙏🎉🚀👏💯🔥😍🥳😊🙂😀😃😄😁🤩💪👌✨⭐🌟💖💙💚💛🧡💜🙌🏆🫶]/u;
/** Marks that end a part of a sentence. A question mark is none of them. */
const marks = /[.,;:!~…、。！，・()"'”“*_-]+(?=\s|$)|\n|(?<=^|\s)[("'”“*_-]+|[、。！，・～]+/u;

/**
 * Returns true for a comment that only thanks or praises, in one of the most used languages. Every
 * part of it must be a known phrase: a word more makes it a request. `onlyThanks` excludes praise
 * and emoji, which may agree with a question. Pure.
 */
export function isThanks(body: string, onlyThanks = false): boolean {
  const text = body.replaceAll(besideText, ' ').trim();
  if (text.length > longest) return false;
  const words = text.normalize('NFC').toLowerCase().replaceAll(mention, ' , ');
  const isKind = kindEmoji.test(words);
  const parts = words
    .replaceAll(emoji, ' , ')
    .split(marks)
    .map((part) => part.replaceAll('’', "'").replaceAll(/\s+/gu, ' ').trim())
    .filter((part) => part !== '');
  if (!parts.every((part) => isThankful(part) || isPraise(part) || saysNothing(part))) return false;
  if (parts.some(isThankful)) return true;
  return !onlyThanks && (isKind || parts.some(isPraise));
}
