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
])('of %j is left %j', (text, left, out) => {
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
])('%j stays as it is', (text) => {
  expect(strip(text)).toEqual({ left: text, out: [] });
});
