import { processProgram } from '../../../src/run/programs/process-program.ts';
import { startQueue } from '../../../src/webhooks/deliveries/queue.ts';

/** A process of its own, whose only argument is the folder that the database is made in. */
const queue = await startQueue({
  location: { url: null, directory: process.argv[2] ?? '', program: processProgram('database-process') },
  handle: async () => {},
  onError: (error) => {
    throw error;
  },
});
await queue.close();
