import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Preloaded by `node --import` into a program under test. Adds three defects: an uncaught error at
 * the moment of a signal, one in each tool that opens `defect.txt`, and one in the publisher, which
 * records findings that mention a `publishing defect`.
 */
process.on('SIGUSR2', () => {
  throw new RangeError('a stray defect');
});

const { openSync } = fs;
fs.openSync = (file, ...rest) => {
  if (String(file).endsWith('/defect.txt')) throw new RangeError('a defect of a tool');
  return openSync(file, ...rest);
};
syncBuiltinESMExports();

const { stringify } = JSON;
JSON.stringify = (value: unknown, ...rest: unknown[]) => {
  const text: string = Reflect.apply(stringify, JSON, [value, ...rest]);
  const isRecord = typeof value === 'object' && value !== null && 'reviewed' in value && 'findings' in value;
  if (isRecord && text.includes('publishing defect')) throw new RangeError('a defect of the publisher');
  return text;
};
