import { expect, test } from 'vitest';
import { replaceText } from '../../../src/tools/edit/replace-text.ts';

const replaced = (text: string, old: string, next: string, occurrence: number | 'all' = 0) => {
  const result = replaceText('f.ts', text, { old, new: next, occurrence });
  return { text: result.text, strategy: result.strategy };
};

test.each([
  {
    why: 'lines the edit does not mean stay as the file has them',
    text: '\tif (x) {  \n\t\ta();\n\t}\n',
    old: 'if (x) {\n    a();\n}',
    next: 'if (x) {\n    a();\n    b();\n}',
    after: '\tif (x) {  \n\t\ta();\n\t\tb();\n\t}\n',
  },
  {
    why: 'four spaces become the two of the file, depth for depth',
    text: 'def f():\n  if x:\n    a()\n',
    old: 'def f():\n    if x:\n        a()',
    next: 'def f():\n    if x:\n        b()\n        if y:\n            c()',
    after: 'def f():\n  if x:\n    b()\n    if y:\n      c()\n',
  },
  {
    why: 'one line alone shows no rule of indentation, and is left as given',
    text: 'a\n\tb\nc',
    old: 'a\n    b\nc',
    next: 'a\n    d\nc',
    after: 'a\n    d\nc',
  },
  {
    why: 'lines given without any indentation take that of the lines they replace',
    text: '  ports:\n    http\n',
    old: 'ports:\nhttp',
    next: 'sockets:\nhttps',
    after: '  sockets:\n    https\n',
  },
  {
    why: 'some missing indentation is added to every line',
    text: '    open()\n    read()\n    close()\n',
    old: '\n open()\n read()\n',
    next: ' with open():\n     read()\n',
    after: '    with open():\n        read()\n    close()\n',
  },
  {
    why: 'the file keeps its quotes where the change does not touch them',
    text: '  say(“hello”, ‘x’);\n',
    old: `say("hello", 'x');`,
    next: `say("good bye", 'x');`,
    after: '  say(“good bye”, ‘x’);\n',
  },
  {
    why: 'escapes are undone in the new text as well',
    text: 'print("a")\n',
    old: 'print(\\"a\\")',
    next: 'print(\\"b\\\\n\\")',
    after: 'print("b\\n")\n',
  },
  {
    why: 'a new text that was not escaped is left alone',
    text: 'print("a")\n',
    old: 'print(\\"a\\")',
    next: 'print("b\\"")',
    after: 'print("b\\"")\n',
  },
  {
    why: 'line numbers are taken from the new text as well',
    text: 'one\ntwo\n',
    old: '1\tone\n2\ttwo',
    next: '1\tone\n2\tTWO\n3\tthree',
    after: 'one\nTWO\nthree\n',
  },
  {
    why: 'blank lines around both texts are not added',
    text: 'x\n  a\ny\n',
    old: '\na\n',
    next: '\nb\n',
    after: 'x\n  b\ny\n',
  },
  {
    why: 'a block that is alike keeps the lines the edit leaves as they were given',
    text: 'f() {\n  one(1);\n  two(2);\n  three(3);\n}\n',
    old: 'f() {\n  one(1);\n  two(9);\n  three(3);\n}',
    next: 'f() {\n  one(1);\n  two(9);\n  three(3);\n  four(4);\n}',
    after: 'f() {\n  one(1);\n  two(2);\n  three(3);\n  four(4);\n}\n',
  },
  {
    why: 'a block with a line more than was given still tells the indentation',
    text: '    f() {\n      one(1);\n      x();\n      two(2);\n    }\n',
    old: 'f() {\n  one(1);\n  two(2);\n}',
    next: 'f() {\n  three(3);\n}',
    after: '    f() {\n      three(3);\n    }\n',
  },
  {
    why: 'a file without a final newline gets none from whole lines',
    text: 'a\n  b',
    old: 'b\n',
    next: 'c\nd\n',
    after: 'a\n  c\n  d',
  },
  {
    why: 'lines that stay keep their ending in a file that mixes them, new ones end as those there',
    text: 'a\nb\r\nc\nd\r\n',
    old: 'b\nc\nd',
    next: 'b\nnew\nc\nd',
    after: 'a\nb\r\nnew\r\nc\nd\r\n',
  },
  {
    why: 'a byte order mark copied along is no part of the text',
    text: 'using A;\n',
    old: '\ufeffusing A;',
    next: '\ufeffusing B;',
    after: 'using B;\n',
  },
])('$why', ({ text, old, next, after }) => {
  expect(replaced(text, old, next).text).toBe(after);
});

test('every match, or the chosen one, is replaced, also under tolerance', () => {
  const text = '\tfoo();\n  x\n    foo();\n';
  expect(replaced(text, 'foo(); ', 'bar();', 'all')).toEqual({
    text: '\tbar();\n  x\n    bar();\n',
    strategy: 'indentation-flexible',
  });
  expect(replaced(text, 'foo(); ', 'bar();', 2).text).toBe('\tfoo();\n  x\n    bar();\n');
});

test('of several approximate blocks none is replaced unless one is chosen', () => {
  const text = 'f {\n  one(1);\n  two(2);\n}\nf {\n  one(1);\n  two(3);\n}\n';
  const old = 'f {\n  one(1);\n  two(4);\n}';
  const words =
    'The old text is not in f.ts exactly, but 2 places are similar, at lines 1, 5. Copy the lines as they are in the file.';
  expect(() => replaced(text, old, 'x')).toThrow(words);
  expect(() => replaced(text, old, 'x', 'all')).toThrow(words);
  expect(replaced(text, old, 'x', 2)).toEqual({
    text: 'f {\n  one(1);\n  two(2);\n}\nx\n',
    strategy: 'block-anchor',
  });
});

test.each([
  '// ... existing code ...',
  '    // … rest of the function unchanged',
  '# ... rest of code',
  '(rest of the class ...)',
  '/* ...unchanged code here... */',
])('a line that only stands for code, %s, is refused', (line) => {
  expect(() => replaced('a();\nb();\n', 'a();', `c();\n${line}`)).toThrow(
    `The new text of f.ts has the line "${line.trim()}" in place of code, which would be written literally.`,
  );
  expect(replaced(`a();\n${line}\n`, 'a();', `c();\n${line}`).text).toContain('c();');
});

test.each([
  '...',
  'f(...rest);',
  '  "remaining lines...",',
  '// the rest of it is in main.ts',
  'console.log("loading the rest of the code...");',
  '// handle the remaining lines... later, see the docs',
])('a line with dots in it, %s, is written', (line) => {
  expect(replaced('a();\n', 'a();', line).text).toBe(`${line}\n`);
});

test('an edit of ten thousand places is one pass over the file', () => {
  const text = 'foo bar\r\n'.repeat(10_000);
  expect(replaced(text, 'foo', 'x\ny', 'all').text).toBe('x\r\ny bar\r\n'.repeat(10_000));
});
