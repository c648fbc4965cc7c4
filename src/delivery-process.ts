import { enableCompileCache } from 'node:module';
import path from 'node:path';

/**
 * The root of a process that works on deliveries, one at a time: it reads what strangers wrote, and has neither the App's private key nor
 * its webhook secret. It asks the front process for the rest, and ends with it. Started by `createDeliveryProcesses`.
 */
async function serve(): Promise<void> {
  // Beside the program, as for the command line.
  enableCompileCache(path.join(import.meta.dirname, '.compile-cache'));
  // What the front sends meanwhile waits until somebody listens.
  const { serveDeliveries } = await import('./app/deliveries/serve-deliveries.ts');
  serveDeliveries(process);
}

// Ctrl-C reaches the whole process group. The App says by itself when its runs are to end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
await serve();
