import { expect, test } from 'vitest';
import { stripUnfinishedTags } from '../../src/untrusted-text/strip-markup.ts';

/** What is left, and what was taken out. */
function strip(text: string) {
  const out: string[] = [];
  const left = stripUnfinishedTags(text, (kind, part, alarming) => {
    out.push(`${kind}: ${part}${alarming ? '' : ' (honest)'}`);
    return '';
  });
  return { left, out: out.map((one) => one.replace('HTML tag without an end: ', '')) };
}

test.each([
  ["a\n\n<p title='\n\nb", 'a\n\n', ["<p title='\n\nb"]],
  ['a\n<div>c <p title="x\n\nb" d', 'a\n<div>c ', ['<p title="x\n\nb" d']],
  ['- <P a="1" b=\'\n\nb', '- ', ['<P a="1" b=\'\n\nb']],
  ['> 1. </div x="\n> \n> b', '> 1. ', ['</div x="\n> \n> b']],
  ['a\n\n<p b c\n\nd', 'a\n\n\n\nd', ['<p b c']],
  ['<p a\n\n<p b\n\nc', '\n\n\n\nc', ['<p a', '<p b']],
  ['<table x\n', '\n', ['<table x']],
])('%j becomes %j', (text, left, out) => {
  expect(strip(text)).toEqual({ left, out });
});

test.each([
  "a <p title='b\n\nc",
  "<b title='\n\nc",
  '<p title="a > b" id=c>\n\nd\'s',
  "<div>\n<p title='a\nb'>\n\nc",
  'if a <div and\n\nb',
  '<pre>a\n\nb</pre>',
  '<details>\n<summary>a "b</summary>\n\nc',
  'x\n\n<paragraph title="\n\nc',
])('%j stays unchanged', (text) => {
  expect(strip(text)).toEqual({ left: text, out: [] });
});

const blocks = [
  'address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt',
  'fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link',
  'main menu menuitem nav noframes ol optgroup option p param pre script search section style summary table tbody td',
  'textarea tfoot th thead title tr track ul',
].flatMap((names) => names.split(' '));

test.each(blocks)('<%s> without an end hides the rest of its block, and a longer name does not', (name) => {
  const tag = `<${name} x`;
  expect([strip(`${tag}\n\na`), strip(`<${name}x y\n\na`).out]).toEqual([{ left: '\n\na', out: [tag] }, []]);
});
