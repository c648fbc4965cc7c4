/**
 * A program for `node -e`; its arguments are the file of the package `@pydantic/monty` and the
 * limits as JSON. It reads requests from standard input, one JSON line each, and runs their code in
 * the interpreter of their session. Output of the code goes to standard output and ends with the
 * line that the request names. The answer is a JSON line on standard error. Limits hold for each
 * request, as an interpreter loaded from its dump counts anew.
 */
export const pythonProgram = `
const { createInterface } = require('node:readline');
const { writeSync } = require('node:fs');
const { pathToFileURL } = require('node:url');
const { argv, stdin } = process;
const put = (fd, text) => {
  let bytes = Buffer.from(text);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes));
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
};
const limits = JSON.parse(argv[2]);
const sessions = new Map();
const quoted = (text) => {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\\\"', '"');
  return inner.includes("'") && !inner.includes('"') ? '"' + inner + '"' : "'" + inner.replaceAll("'", "\\\\'") + "'";
};
const shown = (value, deep = 0) => {
  if (value === null || value === undefined) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'number') return Number.isNaN(value) ? 'nan' : value === Infinity ? 'inf' : value === -Infinity ? '-inf' : String(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return quoted(value);
  if (Buffer.isBuffer(value)) return 'b' + quoted(value.toString('latin1'));
  if (deep > 20) return '…';
  const all = (items) => [...items].map((item) => shown(item, deep + 1));
  if (Array.isArray(value)) {
    const items = all(value);
    if (value.__tuple__ !== true) return '[' + items.join(', ') + ']';
    return '(' + items.join(', ') + (items.length === 1 ? ',' : '') + ')';
  }
  if (value instanceof Set) return value.size === 0 ? 'set()' : '{' + all(value).join(', ') + '}';
  if (value instanceof Map)
    return '{' + [...value].map(([key, one]) => shown(key, deep + 1) + ': ' + shown(one, deep + 1)).join(', ') + '}';
  return JSON.stringify(value) ?? String(value);
};
import(pathToFileURL(argv[1]).href).then(({ Monty, MontyRepl }) => {
  // It keeps what has no line end yet: another line brings that out.
  const flush = new Monty('print()');
  put(2, '{"ready":true}\\n');
  createInterface({ input: stdin }).on('line', (line) => {
    const { id, code, session, reset, end } = JSON.parse(line);
    const answer = { id };
    try {
      if (reset) sessions.delete(session);
      const known = sessions.get(session);
      const repl = known === undefined ? new MontyRepl({ limits }) : MontyRepl.load(known.dump());
      sessions.set(session, repl);
      const value = repl.feed(code);
      answer.value = value === null || value === undefined ? null : shown(value).slice(0, 200000);
    } catch (error) {
      answer.error = String(error?.display?.('traceback') ?? error?.message ?? error).slice(0, 20000);
    }
    flush.run();
    put(1, end + '\\n');
    put(2, JSON.stringify(answer) + '\\n');
  });
});
`;
