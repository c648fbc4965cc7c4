import { benchAgent } from './agent.ts';
import { benchDelivery } from './delivery.ts';
import { benchSandbox } from './sandbox.ts';
import { benchTools } from './tools.ts';

/** What can be measured: `npm run bench -- agent`, `… delivery`, `… sandbox`, `… tools`. */
const benches: Readonly<Record<string, () => Promise<void>>> = {
  agent: benchAgent,
  delivery: benchDelivery,
  sandbox: benchSandbox,
  tools: benchTools,
};

const [name = 'agent'] = process.argv.slice(2);
const bench = benches[name];
if (bench === undefined) {
  console.error(`There is no bench "${name}". There is: ${Object.keys(benches).join(', ')}.`);
  process.exitCode = 2;
} else {
  await bench();
}
