import { expect, test } from 'vitest';
import {
  invisible,
  makesSense,
  spellOutInvisible,
  stripInvisible,
} from '../../src/untrusted-text/invisible.ts';
import { decodeAll } from '../../src/untrusted-text/sanitise.ts';

const tag = (text: string) =>
  [...text].map((one) => String.fromCodePoint(0xe0000 + (one.codePointAt(0) ?? 0))).join('');
const england = `\u{1F3F4}${tag('gbeng')}\u{E007F}`;
const scotland = `\u{1F3F4}${tag('gbsct')}\u{E007F}`;
const wales = `\u{1F3F4}${tag('gbwls')}\u{E007F}`;

test('invisible characters are removed, counted, and decoded if they spell text', () => {
  const characters = [
    '\u00ad',
    '\u200b',
    '\u200e',
    '\u202e',
    '\u2060',
    '\u2066',
    '\ufeff',
    '\u3164',
    '\u115f',
    '\ufff9',
    '\ufffb',
    '\u0000',
    '\u0007',
    '\u007f',
    '\u0085',
    '\u{e0001}',
    '\u180e',
  ];
  expect(characters.filter((one) => stripInvisible(`a${one}b`).text !== 'ab')).toEqual([]);
  expect([
    stripInvisible('a\u200bb\u00ad'),
    stripInvisible(`a${tag('hi ~')}\u{E007F}b`),
    stripInvisible('a\t\n\r b é 漢'),
    stripInvisible('a\u2028b\u2029c'),
    stripInvisible('\ud83d x'),
    stripInvisible('\ufffc\ufffd\ufff0'),
  ]).toEqual([
    { text: 'ab', count: 2, tags: '' },
    { text: 'ab', count: 5, tags: 'hi ~' },
    { text: 'a\t\n\r b é 漢', count: 0, tags: '' },
    { text: 'a\nb\nc', count: 0, tags: '' },
    { text: '\ufffd x', count: 0, tags: '' },
    { text: '\ufffc\ufffd', count: 1, tags: '' },
  ]);
  expect('a\nb'.match(invisible)).toBeNull();
});

test('the flags of England, Scotland and Wales stay in place, and no other tag characters do', () => {
  const other = `\u{1F3F4}${tag('usca')}\u{E007F}`;
  expect([
    stripInvisible(`${england}x${tag('a')}${scotland}y${tag('b')}${wales}${tag('c')}`),
    stripInvisible(`${other}${england}`),
    stripInvisible(tag('gbeng')),
  ]).toEqual([
    { text: `${england}x${scotland}y${wales}`, count: 3, tags: 'abc' },
    { text: `\u{1F3F4}${england}`, count: 5, tags: 'usca' },
    { text: '', count: 5, tags: 'gbeng' },
  ]);
});

test('joiners and selectors stay where they form an emoji or a letter', () => {
  const kept = [
    ...[
      '👩\u200d🚀',
      '👩🏽\u200d🚀',
      '❤\ufe0f\u200d🔥',
      '❤\ufe0f',
      '❤\ufe0e',
      '1\ufe0f\u20e3',
      '#\ufe0f\u20e3',
      '*\ufe0e\u20e3',
      '🇩\ufe0f',
    ],
    ...[
      'ب\u200cب',
      'ب\u200dب',
      'ܐ\u200dܐ',
      'ᠠ\u200dᠠ',
      'क\u200dक',
      'ক\u200cক',
      'ਕ\u200dਕ',
      'ક\u200dક',
      'କ\u200dକ',
      'க\u200dக',
    ],
    ...['క\u200dక', 'ಕ\u200dಕ', 'ക\u200dക', 'ක\u200dක', 'ក\u200dក'],
  ];
  const gone = [
    ...[
      'a\u200db',
      '👩\u200da',
      'a\u200d🚀',
      '👩\u200c🚀',
      'a\ufe0f',
      '1\ufe0f',
      '1\ufe0fa',
      'a\ufe0f\u20e3',
      '\u200d🚀',
      '❤\u200d',
      '\ufe0f',
    ],
    ...['ب\u200ca', 'a\u200cب', '漢\u200d漢', 'ไ\u200dไ', '👩\u200b🚀', '🇩\u200d🇪', 'я\u200dя'],
  ];
  expect([
    kept.filter((text) => stripInvisible(text).text !== text),
    gone.filter((text) => stripInvisible(text).count !== 1),
  ]).toEqual([...[[], []]]);
  expect([
    makesSense('ab', 'a', 0),
    makesSense('👩\u200d🚀', '\u200d', 2),
    makesSense('x\u200d', '\u200d', 1),
  ]).toEqual([false, true, false]);
});

test('character references are decoded at any nesting, except in code', () => {
  // Each level writes the first digit of the one within as a reference: so many passes decode it.
  const deep = (passes: number): string => {
    let text = '&#60;';
    for (let pass = 1; pass < passes; pass += 1)
      text = text.replace(/&#(\d)/, (_, digit: string) => `&#&#${48 + Number(digit)};`);
    return text;
  };
  expect([
    decodeAll('&lt;b&gt; &#65;&#x42; a&b'),
    decodeAll('&amp;lt; &amp;amp;lt; &AMP;#38;lt; &#38;#x26;lt; &#0038;#X0026;lt;'),
    decodeAll('&#96; &#126 &#x60; &#X7e; &#x7E &grave; &DiacriticalGrave; &#0096;'),
    decodeAll('&amp;grave; &lt;&#96;&gt;'),
    deep(3),
    decodeAll(`& ${deep(11)}`),
    decodeAll(`& ${deep(12)}`),
    decodeAll('&amp; b'),
    // One pass takes all layers, however many.
    ...['amp;', 'AMP;', '#38;', '#x26;'].map((layer) => decodeAll(`& &${layer.repeat(40)}lt;`)),
  ]).toEqual([
    '<b> AB a&b',
    '< < < < <',
    '&#96; &#126 &#x60; &#X7e; &#x7E &grave; &DiacriticalGrave; &#0096;',
    '&grave; <&#96;>',
    ...['&#&#&#53;4;0;', '& <', ' <'],
    '& b',
    ...['& <', '& <', '& <', '& <'],
  ]);
});

test('invisible characters are displayed by their codes', () => {
  expect(
    spellOutInvisible('a\n\tb é 😀 \u0000\r\u007f\u00a0\u202e\u200b\ufeff\ud800\u{e0041}\u{e0101}'),
  ).toBe('a\n\tb é 😀 <U+0000><U+000D><U+007F><U+00A0><U+202E><U+200B><U+FEFF><U+D800><U+E0041><U+E0101>');
});

test('each character that fonts may leave out is displayed by its code', () => {
  const left = ['\u034f', '\u180f', '\u2065', '\u3164', '\ufe0f', '\u{e0080}', '\u{e0fff}'];
  expect(left.map(spellOutInvisible)).toEqual([
    ...['<U+034F>', '<U+180F>', '<U+2065>', '<U+3164>', '<U+FE0F>', '<U+E0080>', '<U+E0FFF>'],
  ]);
});
