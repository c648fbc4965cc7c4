import { expect, test } from 'vitest';
import { createSilentHtml } from '../../../src/webhooks/commands/silent-html.ts';

/** Whether what follows each piece of HTML is silent. */
function silentAfter(...pieces: readonly string[]): boolean[] {
  const html = createSilentHtml();
  return pieces.map((piece) => {
    html.read(piece);
    return html.isSilent();
  });
}

const names =
  'code pre kbd samp tt blockquote q template noscript iframe object svg math title textarea select datalist option audio video canvas details dialog rp listing xmp noframes noembed';

test.each(names.split(' '))('text in <%s> is silent', (name) => {
  expect(silentAfter(`<${name}>`, `</${name}>`, `<${name.toUpperCase()} a="b">x`, `</${name} >`)).toEqual([
    ...[true, false, true, false],
  ]);
});

test.each<[pieces: readonly string[], silent: readonly boolean[]]>([
  [
    ['no HTML', '<b>', '</b>', '<br/>'],
    [false, false, false, false],
  ],
  [
    ['<codex>', '<x-code>', '<1code>'],
    [false, false, false],
  ],
  [
    ['</code>', '<code>'],
    [false, true],
  ],
  [
    ['<pre><code>', '</code>', '</pre>'],
    [true, true, false],
  ],
  [
    ['<pre><code>', '</pre>'],
    [true, false],
  ],
  [
    ['<code><pre>', '</code>', '</pre>'],
    [true, true, true],
  ],
  [
    ['<pre><code></pre><kbd>', '</kbd>'],
    [true, false],
  ],
  [
    ['<code></code><code>', '</code>'],
    [true, false],
  ],
  [
    ['<b title="', '">'],
    [true, true],
  ],
  [['<b title="<code>">'], [false]],
  [
    ['a < b', '<', '<3'],
    [false, false, false],
  ],
  [
    ['<!-- <code> -->', '<!-- a', '-->'],
    [false, true, true],
  ],
  [
    ['<!---->', '<!-->', '<!--->', '<!--a--!>'],
    [false, false, false, false],
  ],
  [['<!--> <code>'], [true]],
  [['<!---a>'], [true]],
  [
    ['<!doctype html>', '<?a <b ?>', '</ a>', '<!a'],
    [false, false, false, true],
  ],
  [['<?a'], [true]],
  [
    ['</', '</>'],
    [false, false],
  ],
  [['</\n'], [true]],
  [['<!doctype><code>'], [true]],
  [['<pre/>'], [true]],
  [['<b><i><code></code>'], [false]],
])('after the pieces %j the text is silent: %j', (pieces, silent) => {
  expect(silentAfter(...pieces)).toEqual(silent);
});
