#!/usr/bin/env node
import { parseArgs } from 'node:util';

// What each option does is said where it is used.
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8080' },
    host: { type: 'string', default: '127.0.0.1' },
    folder: { type: 'string', default: 'public' },
    'cache-seconds': { type: 'string', default: '60' },
    quiet: { type: 'boolean', default: false },
  },
});

/** The settings of the server; `PORT` in the environment is stronger than --port. */
export const settings = {
  port: Number(process.env.PORT ?? values.port),
  host: values.host,
  root: values.folder,
  headers: { 'cache-control': `max-age=${values['cache-seconds']}` },
  log: values.quiet ? () => undefined : (line) => console.log(line),
};
