import { expect, test } from 'vitest';
import { stripHiddenElements } from '../../../src/permissions/text/hidden-elements.ts';

/** The text with each part that was taken out in brackets, as it was given back. */
const strip = (text: string) =>
  stripHiddenElements(
    text,
    (kind, part, alarming) =>
      `[${kind === 'hidden HTML element' && alarming ? part : `${kind} ${alarming}`}]`,
    (part) => part.toUpperCase(),
  );

test.each([
  ['a <p hidden>b</p> c', 'a [<P HIDDEN>B</P>] c'],
  ['a <p hidden="">b</p> c', 'a [<P HIDDEN="">B</P>] c'],
  ['a <p HIDDEN />b</P > c', 'a [<P HIDDEN />B</P >] c'],
  ['<p hidden/>b</p>c', '[<P HIDDEN/>B</P>]c'],
  ['<p hiddenly>b</p>', '<p hiddenly>b</p>'],
  ['<p data-hidden>b</p>', '<p data-hidden>b</p>'],
  ['<hidden>b</hidden>', '<hidden>b</hidden>'],
  ['<p hidden>b <i>c</i> d', '[<P HIDDEN>B <I>C</I> D]'],
  ['<p hidden>b\n \t\nc</p>', '[<P HIDDEN>B\n \t\n]c</p>'],
  ['<p hidden>b\nc</p>d', '[<P HIDDEN>B\nC</P>]d'],
  ['<p hidden>b <i hidden>c</i></p>d', '[<P HIDDEN>B <I HIDDEN>C</I></P>]d'],
  ['<p hidden>b</p><i hidden>c</i>', '[<P HIDDEN>B</P>][<I HIDDEN>C</I>]'],
  ['<h2 hidden>b</h1></h2>c', '[<H2 HIDDEN>B</H1></H2>]c'],
  ['<font color=white>b</font>', '[<FONT COLOR=WHITE>B</FONT>]'],
  ['<font color = "#FFF">b</font>', '[<FONT COLOR = "#FFF">B</FONT>]'],
  ["<font color='transparent'>b</font>", "[<FONT COLOR='TRANSPARENT'>B</FONT>]"],
  ['<font color="#ff">b</font>', '<font color="#ff">b</font>'],
  ['<font color=red>b</font>', '<font color=red>b</font>'],
  ['<p style="display:none">b</p>', '[<P STYLE="DISPLAY:NONE">B</P>]'],
  ['<p style="display : none">b</p>', '[<P STYLE="DISPLAY : NONE">B</P>]'],
  ["<p style='color: red; VISIBILITY: Hidden'>b</p>", "[<P STYLE='COLOR: RED; VISIBILITY: HIDDEN'>B</P>]"],
  ['<p style=opacity:0>b</p>', '[<P STYLE=OPACITY:0>B</P>]'],
  ['<p style="opacity: 0.00">b</p>', '[<P STYLE="OPACITY: 0.00">B</P>]'],
  ['<p style="opacity:0.5">b</p>', '<p style="opacity:0.5">b</p>'],
  ['<p style="opacity:01">b</p>', '<p style="opacity:01">b</p>'],
  ['<p style="font-size:0">b</p>', '[<P STYLE="FONT-SIZE:0">B</P>]'],
  ['<p style="color:white">b</p>', '[<P STYLE="COLOR:WHITE">B</P>]'],
  ['<p style="color:#ffff">b</p>', '[<P STYLE="COLOR:#FFFF">B</P>]'],
  ['<p style = "color:transparent">b</p>', '[<P STYLE = "COLOR:TRANSPARENT">B</P>]'],
  ['<p style\n=\n"display:none">b</p>', '[<P STYLE\n=\n"DISPLAY:NONE">B</P>]'],
  ['<p style="display:block">b</p>', '<p style="display:block">b</p>'],
  ['<p title="display:none">b</p>', '<p title="display:none">b</p>'],
  ['<p style="x" title="display:none">b</p>', '<p style="x" title="display:none">b</p>'],
  ['<p mystyle="display:none">b</p>', '<p mystyle="display:none">b</p>'],
  ['<p title="a style=display:none">b</p>', '[<P TITLE="A STYLE=DISPLAY:NONE">B</P>]'],
  ['<p style="visibility :  hidden">b</p>', '[<P STYLE="VISIBILITY :  HIDDEN">B</P>]'],
  ['<p style="visibility:hidden">b</p>', '[<P STYLE="VISIBILITY:HIDDEN">B</P>]'],
  ['<p style="opacity :0">b</p>', '[<P STYLE="OPACITY :0">B</P>]'],
  ['<p style="font-size : 0">b</p>', '[<P STYLE="FONT-SIZE : 0">B</P>]'],
  ['<p style="color : white">b</p>', '[<P STYLE="COLOR : WHITE">B</P>]'],
  ['<p style="color:#f00">b</p>', '<p style="color:#f00">b</p>'],
  ['<P STYLE=DISPLAY:NONE>b</P>', '[<P STYLE=DISPLAY:NONE>B</P>]'],
  ['<P STYLE = "a: \'b\'; display:none">b</P>', '[<P STYLE = "A: \'B\'; DISPLAY:NONE">B</P>]'],
  ['<p style  =x>b</p>', '<p style  =x>b</p>'],
  ['<p style  =display:none>b</p>', '[<P STYLE  =DISPLAY:NONE>B</P>]'],
  ['<p display:none style=x>b</p>', '<p display:none style=x>b</p>'],
  ['<p title="style" alt="display:none">b</p>', '<p title="style" alt="display:none">b</p>'],
  ['<p a style "display:none">b</p>', '<p a style "display:none">b</p>'],
  ['</p>\n\n<p hidden>b</p>', '</p>\n\n[<P HIDDEN>B</P>]'],
  ['<p_x hidden>b</p>', '<p_x hidden>b</p>'],
  ['a < p hidden>b', 'a < p hidden>b'],
  ['a <1 hidden>b', 'a <1 hidden>b'],
])('%j becomes %j', (text, expected) => {
  expect(strip(text)).toBe(expected);
});
