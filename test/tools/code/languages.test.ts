import { describe, expect, it, test } from 'vitest';
import { findLanguage, languageOf, scriptLanguage } from '../../../src/tools/code/languages.ts';

const reported = (language: ReturnType<typeof languageOf>) =>
  language === null ? null : `${language.name} ${language.grammar}`;

test.each([
  ['typescript typescript', 'a.ts a.mts a.cts'],
  ['typescript tsx', 'a.tsx'],
  ['javascript javascript', 'a.js a.mjs a.cjs a.jsx'],
  ['python python', 'a.py a.pyi a.pyw'],
  ['go go', 'a.go'],
  ['rust rust', 'a.rs'],
  ['java java', 'a.java A.JAVA'],
  ['c cpp', 'a.c a.h'],
  ['cpp cpp', 'a.cpp a.cc a.cxx a.hpp a.hh a.hxx a.ipp a.tpp a.inl'],
  ['csharp c-sharp', 'a.cs a.csx'],
  ['ruby ruby', 'a.rb a.rake a.gemspec a.ru Rakefile sub/Gemfile Vagrantfile'],
  ['php php', 'a.php a.phtml a.inc'],
  ['bash bash', 'a.sh a.bash a.zsh a.bats .bashrc home/.profile PKGBUILD'],
  [null, 'a a.txt Makefile a.ts.bak ts a.ts/b rakefile xRakefile'],
])('%s is the language of %s', (language, files) => {
  expect(files.split(' ').map((file) => reported(languageOf(file)))).toEqual(
    files.split(' ').map(() => language),
  );
});

test.each([
  ['typescript typescript', 'typescript ts mts cts TypeScript'],
  ['typescript tsx', 'tsx'],
  ['javascript javascript', 'javascript js jsx mjs'],
  ['python python', 'python py pyw'],
  ['go go', 'go golang'],
  ['rust rust', 'rust rs'],
  ['java java', 'java'],
  ['c cpp', 'c h'],
  ['cpp cpp', 'cpp c++ cxx cc hpp'],
  ['csharp c-sharp', 'csharp c# cs c-sharp csx'],
  ['ruby ruby', 'ruby rb rake'],
  ['php php', 'php phtml'],
  ['bash bash', 'bash sh shell zsh bats'],
  [null, 'rubyx perl'],
])('%s is the language called %s', (language, names) => {
  expect(names.split(' ').map((name) => reported(findLanguage(` ${name} `)))).toEqual(
    names.split(' ').map(() => language),
  );
});

describe('a script', () => {
  it.each([
    ['#!/bin/sh', 'bash'],
    ['#!/bin/dash', 'bash'],
    ['#! /usr/local/bin/ksh', 'bash'],
    ['#!/usr/bin/env node', 'javascript'],
    ['#!/usr/bin/env python3 -u', 'python'],
    ['#!/usr/bin/env -S ruby -w', 'ruby'],
    ['#!php', 'php'],
    ['#!/usr/bin/perl', null],
    ['#!', null],
    ['  #!/bin/sh', null],
    ['# /bin/sh', null],
    ['', null],
  ])('that begins with %s is in %s', (line, language) => {
    expect(scriptLanguage(line)?.name ?? null).toBe(language);
  });
});
