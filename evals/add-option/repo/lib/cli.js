#!/usr/bin/env node
const { readFileSync } = require('node:fs');
const { count } = require('./count.js');

function main(args) {
  if (args.length === 0) {
    process.stderr.write('usage: words FILE...\n');
    return 2;
  }
  for (const file of args) {
    const { lines, words } = count(readFileSync(file, 'utf8'));
    process.stdout.write(`${lines}\t${words}\t${file}\n`);
  }
  return 0;
}

process.exitCode = main(process.argv.slice(2));
