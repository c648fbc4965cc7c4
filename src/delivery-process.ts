import { enableCompileCache } from 'node:module';
import path from 'node:path';

/**
 * Entry point of a process that handles deliveries, one at a time. It reads untrusted text and has
 * neither the App's private key nor its webhook secret. It asks the front process for the rest and
 * ends with it. Started by `createDeliveryProcesses`.
 */
async function serve(): Promise<void> {
  // Beside the program, as for the command line.
  enableCompileCache(path.join(import.meta.dirname, '.compile-cache'));
  // Messages are queued until the handler listens.
  const { serveDeliveries } = await import('./app/deliveries/serve-deliveries.ts');
  serveDeliveries(process);
}

// Ctrl-C reaches the whole process group. The App itself ends its runs.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
await serve();
