import { processProgram } from '../../../src/run/programs/process-program.ts';
import { startQueue } from '../../../src/webhooks/deliveries/queue.ts';

/** A separate process, whose only argument is the folder for the database. */
const queue = await startQueue({
  location: { url: null, directory: process.argv[2] ?? '', program: processProgram('database-process') },
  handle: async () => {},
  onError: (error) => {
    throw error;
  },
});
await queue.close();
