import { readFileSync } from 'node:fs';

const { findings } = JSON.parse(readFileSync(process.env.EVAL_OUTCOME, 'utf8'));
/** A fault: the lines of src/files.js that have it, and a word of its finding. */
const faults = {
  'a path that leads out of the uploads': {
    from: 7,
    to: 11,
    word: /travers|escape|outside|\.\.|out of|basename|arbitrary/i,
  },
  'a first page that is skipped': {
    from: 14,
    to: 17,
    word: /first|off.by.one|page\s*-\s*1|skip|start|one page/i,
  },
};
const inCode = findings.filter(({ path }) => path === 'src/files.js');
const missed = Object.entries(faults).filter(
  ([, { from, to, word }]) =>
    !inCode.some(({ line, title, body }) => line >= from && line <= to && word.test(`${title} ${body}`)),
);
for (const [name] of missed) console.error(`not found: ${name}`);
const serious = findings.filter(({ severity }) => ['medium', 'high', 'critical'].includes(severity));
if (serious.length > 4) console.error(`${serious.length} findings of weight, for two faults`);
process.exitCode = missed.length > 0 || serious.length > 4 ? 1 : 0;
