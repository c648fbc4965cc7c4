import { expect, test } from 'vitest';
import { referenceFiles, referenceTranscript } from '../../src/evals/polyglot-reference.ts';

test('finds the place of an example by its name, its extension, or beside the solution', () => {
  const java = ['src/main/java/Poker.java'];
  expect([
    referenceFiles(['clock.cpp', 'clock.h'], ['.meta/example.h'], ['.meta/example.h', '.meta/config.json']),
    referenceFiles(['cipher.js'], ['.meta/proof.ci.js'], []),
    referenceFiles(java, ['.meta/src/Poker.java', '.meta/src/Hand.java'], []),
    referenceFiles(['src/lib.rs', 'Cargo.toml'], ['.meta/example.rs'], ['.meta/Cargo-example.toml']),
  ]).toEqual([
    [{ target: 'clock.h', example: '.meta/example.h' }],
    [{ target: 'cipher.js', example: '.meta/proof.ci.js' }],
    [
      { target: 'src/main/java/Poker.java', example: '.meta/src/Poker.java' },
      { target: 'src/main/java/Hand.java', example: '.meta/src/Hand.java' },
    ],
    [
      { target: 'src/lib.rs', example: '.meta/example.rs' },
      { target: 'Cargo.toml', example: '.meta/Cargo-example.toml' },
    ],
  ]);
});

test('has no place for an example that fits two files or none', () => {
  expect(referenceFiles(['a.go', 'b.go'], ['.meta/example.go'], [])).toBeNull();
  expect(referenceFiles(['a.go'], ['.meta/example.py'], [])).toBeNull();
  expect(referenceFiles(['a.go'], ['.meta/example.go', '.meta/example_2.go'], [])).toEqual([
    { target: 'a.go', example: '.meta/example.go' },
    { target: 'example_2.go', example: '.meta/example_2.go' },
  ]);
});

test('reads what exists, edits the first file and writes the others', () => {
  const answers = referenceTranscript([
    { path: 'same', before: 'x', after: 'x' },
    { path: 'a', before: 'old', after: 'new' },
    { path: 'b', before: '', after: 'new' },
    { path: 'c', before: null, after: 'new' },
  ]);
  expect(answers).toEqual([
    {
      calls: [
        { name: 'read', input: { path: 'a' } },
        { name: 'read', input: { path: 'b' } },
      ],
    },
    {
      calls: [
        { name: 'edit_file', input: { path: 'a', old_str: 'old', new_str: 'new' } },
        { name: 'create_file', input: { path: 'b', content: 'new', overwrite: true } },
        { name: 'create_file', input: { path: 'c', content: 'new' } },
      ],
    },
    { text: 'The exercise is solved.' },
  ]);
});
